import type { Argument, Command, Example, Option } from './commands/command.ts';
import { globalOptions } from './commands/globals.ts';
import type { Entry, NounEntry } from './commands/table.ts';
import type { Style } from './terminal/style.ts';
import { displayWidth, wrap } from './terminal/width.ts';
import { version } from './version.ts';

const noDefault = 'A flag that names no default is off, or nothing, unless given.';

type Row = readonly [term: string, meaning: string];

interface Group {
  heading: string;
  rows: readonly Row[];
}

export interface Page {
  lead: string;
  usage: string;
  details?: string;
  groups: readonly Group[];
  examples: readonly Example[];
  footer?: string;
  /** Printed compactly, to fit one screen. */
  isIndex?: true;
}

export function rootHelp(table: readonly Entry[]): Page {
  return {
    lead: `mar ${version}: the command line for studios' media`,
    usage: 'mar <command> [flags]',
    groups: groupsOf(table, ({ name, summary }) => [name, summary]),
    examples: [],
    footer: 'mar <command> --help has its flags and examples; mar help flags, all others',
    isIndex: true,
  };
}

export const flagsHelp = (): Page => ({
  lead: 'Flags for every command',
  usage: 'mar <command> [flags]',
  groups: [{ heading: 'Flags', rows: globalOptions.map(optionRow) }],
  examples: [
    { does: 'A record for a script', line: 'mar wr get wr-2001 --json' },
    { does: 'Some fields of a list', line: 'mar downloads list --columns file.name,created' },
    { does: 'A value of each record', line: 'mar downloads list --all --jq .file.name' },
    { does: 'What goes over the wire', line: 'mar asset get a-1001 --debug' },
  ],
  footer: noDefault,
});

export function nounHelp(
  { name, summary, examples }: NounEntry,
  commands: readonly Command[],
): Page {
  const rows = commands.map((command): Row => [usageOf(command.name, command), command.summary]);
  return {
    lead: summary,
    usage: `mar ${name} <command> [flags]`,
    groups: [{ heading: 'Commands', rows }],
    examples,
    footer: `More about a command: mar ${name} <command> --help`,
  };
}

export function commandHelp(path: string, command: Command): Page {
  const { arguments: args = [], options = [] } = command;
  return {
    lead: command.summary,
    usage: `mar ${usageOf(path, command)} [flags]`,
    details: command.details,
    groups: [
      { heading: 'Arguments', rows: args.map((arg): Row => [argumentName(arg), arg.summary]) },
      ...groupsOf(options, optionRow),
    ],
    examples: command.examples,
    footer: `${options.length > 0 ? `${noDefault} ` : ''}Flags for every command: mar help flags`,
  };
}

function groupsOf<Item extends { group?: string }>(
  items: readonly Item[],
  toRow: (item: Item) => Row,
): Group[] {
  const headings = [...new Set(items.map(({ group = 'Flags' }) => group))];
  return headings.map((heading) => ({
    heading,
    rows: items.filter(({ group = 'Flags' }) => group === heading).map(toRow),
  }));
}

export function renderHelp(page: Page, width: number, style: Style): string {
  const blocksOf = page.isIndex ? indexBlocks : pageBlocks;
  const blocks = blocksOf(page, Math.min(width, 100), style);
  const texts = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** Headings stand beside their rows, to save lines. */
function indexBlocks({ lead, usage, groups, footer }: Page, columns: number, style: Style) {
  const headingWidth = Math.max(...groups.map(({ heading }) => heading.length));
  const rows = groups.flatMap(({ heading, rows }) => {
    const lines = rows.flatMap((row) => rowLines(row, termWidthOf(groups, columns), columns));
    const margin = (line: number) => (line === 0 ? heading : '').padEnd(headingWidth);
    return lines.map((line, index) => style.bold(margin(index)) + line);
  });
  const first = `${lead}. Usage: ${usage}`;
  return [
    displayWidth(first) <= columns ? [first] : [lead, `Usage: ${usage}`],
    rows,
    footer ? wrap(footer, columns).map(style.dim) : [],
  ];
}

function pageBlocks(page: Page, columns: number, style: Style): string[][] {
  const termWidth = termWidthOf(page.groups, columns);
  return [
    [style.bold(page.lead)],
    [`${style.dim('Usage:')} ${page.usage}`],
    page.details ? wrap(page.details, columns) : [],
    ...page.groups.map(({ heading, rows }) =>
      rows.length === 0
        ? []
        : [style.bold(heading), ...rows.flatMap((row) => rowLines(row, termWidth, columns))],
    ),
    // Examples are never wrapped, so that they can be copied.
    [
      style.bold('Examples'),
      ...page.examples.flatMap(({ does, line }) => [style.dim(`  # ${does}`), `  ${line}`]),
    ],
    page.footer ? wrap(page.footer, columns).map(style.dim) : [],
  ];
}

function termWidthOf(groups: readonly Group[], columns: number): number {
  const terms = groups.flatMap(({ rows }) => rows.map(([term]) => displayWidth(term)));
  return Math.min(Math.max(0, ...terms), Math.floor(columns / 2));
}

function rowLines([term, meaning]: Row, termWidth: number, columns: number): string[] {
  const indent = ' '.repeat(termWidth + 4);
  const lines = wrap(meaning, Math.max(20, columns - indent.length));
  if (displayWidth(term) > termWidth) return [`  ${term}`, ...lines.map((line) => indent + line)];
  return lines.map(
    (line, index) => (index === 0 ? `  ${term.padEnd(termWidth)}  ` : indent) + line,
  );
}

function optionRow({ flags, summary, choices, default: fallback }: Option): Row {
  const indented = flags.startsWith('--') ? `    ${flags}` : flags;
  const meaning = choices ? `${summary}: ${choices.join(', ')}` : summary;
  return [indented, fallback ? `${meaning} (default: ${fallback})` : meaning];
}

function argumentName({ name, optional, many }: Argument): string {
  const term = many ? `${name}...` : name;
  return optional ? `[${term}]` : `<${term}>`;
}

const usageOf = (name: string, { arguments: args = [] }: Command) =>
  [name, ...args.map(argumentName)].join(' ');
