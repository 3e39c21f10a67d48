import { version } from '../../src/version.ts';
import { commandPages, globalPage, type NamedPage } from './pages.ts';

/** The man pages by their file names: `mar-wr-create.1` for `mar wr create`. */
export async function manPages(): Promise<Record<string, string>> {
  const commands = await commandPages();
  const root = rootPage(commands);
  const pages = commands.map((one) => [`${nameOf(one)}.1`, manPage(one, commands)] as const);
  return Object.fromEntries([['mar.1', root], ...pages]);
}

const nameOf = ({ words }: NamedPage) => ['mar', ...words].join('-');

function rootPage(commands: readonly NamedPage[]): string {
  const { page } = globalPage();
  return [
    ...head('mar', "the command line for studios' media"),
    ...synopsis(page.usage),
    '.SH COMMANDS',
    ...commands.flatMap(({ words, page: { lead } }) => tagged(`mar ${words.join(' ')}`, lead)),
    ...groups(page),
    ...examples(page),
    ...seeAlso(commands.filter(({ words }) => words.length === 1).map(nameOf)),
  ].join('\n');
}

function manPage(one: NamedPage, commands: readonly NamedPage[]): string {
  const { page, words } = one;
  const below = commands.filter(({ words: [noun], words: all }) => {
    return noun === words[0] && all.length > words.length;
  });
  const noun = words.length > 1 ? [`mar-${words[0]}`] : [];
  return [
    ...head(nameOf(one), page.lead),
    ...synopsis(page.usage),
    '.SH DESCRIPTION',
    text(`${page.lead}. ${page.details ?? ''}`.trim()),
    ...groups(page),
    ...examples(page),
    ...seeAlso(['mar', ...noun, ...below.map(nameOf)]),
  ].join('\n');
}

const head = (name: string, summary: string) => [
  '.\\" Made by `npm run generate` from the commands themselves.',
  `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`mar ${version}`)} "User Commands"`,
  '.SH NAME',
  `${text(name)} \\- ${text(summary)}`,
];

const synopsis = (usage: string) => ['.SH SYNOPSIS', `\\fB${text(usage)}\\fR`];

const groups = ({ groups }: NamedPage['page']) =>
  groups
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ heading, rows }) => [
      `.SH ${heading.toUpperCase()}`,
      ...rows.flatMap(([term, meaning]) => tagged(term.trim(), meaning)),
    ]);

const examples = ({ examples }: NamedPage['page']) => {
  if (examples.length === 0) return [];
  const lines = examples.flatMap(({ does, line }, index) => [
    ...(index === 0 ? [] : ['.PP']),
    text(`${does}:`),
    '.PP',
    '.nf',
    '.RS 4',
    text(line),
    '.RE',
    '.fi',
  ]);
  return ['.SH EXAMPLES', ...lines];
};

const seeAlso = (names: readonly string[]) => [
  '.SH SEE ALSO',
  names.map((name) => `\\fB${text(name)}\\fR(1)`).join(',\n'),
  '',
];

const tagged = (term: string, meaning: string) => ['.TP', `\\fB${text(term)}\\fR`, text(meaning)];

const quoted = (word: string) => `"${text(word).replaceAll('"', '""')}"`;

/** Text that means itself: backslashes and hyphens kept, no line taken for a request. */
const text = (plain: string) =>
  plain.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/gm, '\\&$&');
