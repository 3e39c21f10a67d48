import { commandPages, globalPage, type NamedPage } from './pages.ts';

/** `docs/commands.md`: the whole command line on one page. */
export async function commandReference(): Promise<string> {
  const commands = await commandPages();
  const all = [...commands, globalPage()];
  return [
    '# Commands',
    '',
    '<!-- Made by `npm run generate` from the commands themselves. -->',
    '',
    ...all.map(
      (one) => `${one.words.length > 1 ? '  ' : ''}- [${titleOf(one)}](#${anchorOf(one)})`,
    ),
    '',
    ...all.flatMap(section),
  ].join('\n');
}

const titleOf = ({ words, page }: NamedPage) =>
  words.length === 0 ? page.lead : `mar ${words.join(' ')}`;

const anchorOf = (one: NamedPage) => titleOf(one).toLowerCase().replaceAll(' ', '-');

function section(one: NamedPage): string[] {
  const { page, words } = one;
  return [
    `${words.length > 1 ? '###' : '##'} ${titleOf(one)}`,
    '',
    ...(words.length === 0 ? [] : [`${page.lead}.`, '']),
    ...(page.details ? [page.details, ''] : []),
    '```sh',
    page.usage,
    '```',
    '',
    ...page.groups
      .filter(({ rows }) => rows.length > 0)
      .flatMap(({ heading, rows }) => [
        `**${heading}**`,
        '',
        ...rows.map(([term, meaning]) => `- \`${term.trim()}\`: ${escaped(meaning)}`),
        '',
      ]),
    ...(page.examples.length === 0 ? [] : ['**Examples**', '', '```sh']),
    ...page.examples.flatMap(({ does, line }) => [`# ${does}`, line]),
    ...(page.examples.length === 0 ? [] : ['```', '']),
  ];
}

/** Text that means itself: no tags, no emphasis. */
const escaped = (text: string) => text.replace(/[<>*_[\]`\\]/g, (mark) => `\\${mark}`);
