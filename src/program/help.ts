import type { Examples, LoadedCommand } from '../core/commands/command.ts';
import { globalOptions, outputOptions } from '../core/commands/globals.ts';
import { exitCodeRows } from '../core/errors.ts';
import { type Argument, longName, type Option } from '../core/input.ts';
import { createStyle, type Style } from '../core/output/style.ts';
import {
  displayWidth,
  type Screen,
  wrapCommand,
  wrapMessage,
  wrapWords,
} from '../core/values/width.ts';
import { version } from '../core/version.ts';
import { helpTopics, table } from './table.ts';
import { type CommandNode, CommandTree } from './tree.ts';

type HelpRow = readonly [term: string, meaning: string];

interface Group {
  heading: string;
  rows: readonly HelpRow[];
}

export interface Page {
  lead: string;
  usage: string;
  /** The command line that prints the whole page. */
  all?: string;
  details?: string;
  groups: readonly Group[];
  examples: Examples;
  footer?: string;
  /** Printed compactly, to fit one screen. */
  isIndex?: true;
  isTopic?: true;
}

/** Commands that share a row, by the first of them, so that all fit on a screen of 24 lines. */
const sharedRows: Readonly<Record<string, readonly [second: string, summary: string]>> = {
  today: ['find', 'Show what needs you; find records by name or id'],
  login: ['logout', 'Log in to the service, and out of it'],
  log: ['undo', 'Show what you wrote from here, and take changes back'],
  api: ['schema', 'Send your own request, or print the fields of records'],
  event: ['user', 'Notify people with events; list and change users'],
  mcp: ['skill', 'Let AI agents use mar, or print their instructions'],
};

export async function pageOf(shown: CommandNode | string): Promise<Page> {
  if (typeof shown === 'string') return topicPage(shown);
  if (shown.words.length === 0) return rootPage(shown);
  const own = await shown.load();
  const commands = await shown.loadCommands();
  return own ? commandPage(own, commands.slice(1)) : nounPage(shown, commands);
}

function rootPage(root: CommandNode): Page {
  const entries = root.verbs.map((node) => {
    return { name: node.name(), summary: node.summary(), group: node.helpGroup() };
  });
  const seconds = new Set(Object.values(sharedRows).map(([second]) => second));
  return {
    lead: `mar ${version}: the command line for studios' media`,
    usage: 'mar <command> [flags]',
    groups: groupsOf(
      entries.filter(({ name }) => !seconds.has(name)),
      ({ name, summary }) => {
        const [second, both = ''] = sharedRows[name] ?? [];
        return second === undefined ? [name, summary] : [`${name}, ${second}`, both];
      },
    ),
    examples: {},
    footer: `mar <command> --help, mar help ${Object.keys(helpTopics).join('|')}`,
    isIndex: true,
  };
}

async function topicPage(topic: string): Promise<Page> {
  const rows = (await topicOptions(topic)).map(optionRow);
  return {
    lead: helpTopics[topic] ?? topic,
    usage: 'mar <command> [flags]',
    all: `mar help ${topic} --all`,
    groups: [{ heading: 'Flags', rows }],
    examples: {},
    isTopic: true,
    ...topics[topic],
  };
}

/** The flags of a topic. Those of a group come from the commands that have them. */
export async function topicOptions(topic: string): Promise<readonly Option[]> {
  if (topic === 'output') return outputOptions;
  if (topic === 'flags') return globalOptions.filter((one) => !outputOptions.includes(one));
  const tree = new CommandTree(table);
  const nodes = ['wr create', 'asset put'].map((words) => tree.find(words)?.load());
  const options = (await Promise.all(nodes)).flatMap((command) => command?.options ?? []);
  const own = options.filter(({ group }) => group?.toLowerCase() === topic);
  return [...new Map(own.map((option) => [longName(option.flags), option])).values()];
}

const topics: Readonly<Record<string, Partial<Page>>> = {
  fields: {
    details:
      'A path names a field: dots lead into it, [0] is the first element of a list, [+] appends one. A time can be a date such as 2026-12-01T18:00 or +14d. ' +
      'A value that is valid JSON is read as JSON, any other as a string. mar schema wr -o table lists the fields of a work request.',
    examples: {
      'Set two fields': 'mar asset put a-1001 --set usage.online=true --set name="Rough cut"',
      'Read the record from a file, and add a tag':
        "mar wr create -f request.yaml --set 'tags[+]=urgent'",
    },
  },
  batch: {
    examples: {
      'Check a sheet, and order nothing': 'mar wr create --batch orders.xlsx --check',
      'Order what it names': 'mar wr create --batch orders.xlsx',
    },
  },
  output: {
    examples: {
      'Print a record for a script': 'mar wr get wr-2001 --json',
      'Choose the columns of a list': 'mar downloads list --columns file.name,created',
      'Print one value of each record': 'mar downloads list --all --jq .file.name',
    },
  },
  flags: { examples: { 'See what is sent and received': 'mar asset get a-1001 --debug' } },
  environment: {
    usage: 'NAME=value mar <command> [flags]',
    groups: Object.entries({
      Login: {
        MAR_BASE_URL: 'base URL of the service, ending in /api',
        MAR_EMAIL: 'e-mail for MAR_TOKEN, MAR_TOKEN_FILE and mar login',
        MAR_TOKEN: 'token to use instead of the stored one',
        MAR_TOKEN_FILE: 'file that contains the token',
        MAR_PROFILE: 'profile to use',
        MAR_SERVICE: 'JSON file that describes the service',
        MAR_READ_ONLY: '1: refuse to write records',
      },
      Folders: {
        MAR_CONFIG_DIR: 'folder for profiles and settings (config.json)',
        MAR_LOG: 'file that records your writes, to notice repeated orders; off: none',
        MAR_STATE_DIR: 'folder for what mar remembers, and the sandbox',
        MAR_CACHE_DIR: 'folder for compiled code',
        HOME: 'parent of the default folders',
        XDG_CONFIG_HOME: 'Linux: folder that contains the config folder',
        XDG_STATE_HOME: 'Linux: parent of the state folder',
        XDG_CACHE_HOME: 'Linux: folder that contains the cache folder',
        APPDATA: 'Windows: folder that contains the config folder',
        LOCALAPPDATA: 'Windows: parent of the state and cache folders',
      },
      Network: {
        HTTPS_PROXY: 'proxy for https; upper or lower case',
        HTTP_PROXY: 'proxy for http',
        ALL_PROXY: 'proxy for both',
        NO_PROXY: 'hosts to reach without a proxy, separated by commas',
        NODE_EXTRA_CA_CERTS: 'file of certificates to trust as well',
        MAR_CLIENT_KEY_PASSPHRASE: 'passphrase of the key of the client certificate',
      },
      Terminal: {
        NO_COLOR: 'no colours',
        FORCE_COLOR: 'colours without a terminal too; 0 for none',
        COLUMNS: 'width of tables and help, if the terminal has none',
        TERM: 'dumb: no colours, spinner or pager',
        CI: 'set by CI services: no spinner',
        ACCESSIBLE: '1: labelled lines without boxes and bars; 0: off',
        PAGER: 'command that shows long output on a terminal; cat for none',
        TZ: 'your time zone, such as Europe/Berlin',
        VISUAL: 'editor for mar asset edit and --edit',
        EDITOR: 'editor, if VISUAL is not set',
        BROWSER: 'browser for mar wr open',
      },
      'Part of a batch (--shard auto)': {
        CI_NODE_INDEX: 'GitLab, with CI_NODE_TOTAL',
        CIRCLE_NODE_INDEX: 'CircleCI, with CIRCLE_NODE_TOTAL',
        BUILDKITE_PARALLEL_JOB: 'Buildkite, with BUILDKITE_PARALLEL_JOB_COUNT',
        SYSTEM_JOBPOSITIONINPHASE: 'Azure Pipelines, with SYSTEM_TOTALJOBSINPHASE',
        AWS_BATCH_JOB_ARRAY_INDEX: 'AWS Batch, with AWS_BATCH_JOB_ARRAY_SIZE',
        JOB_COMPLETION_INDEX: 'Kubernetes, with --shard auto/N',
      },
      'Debugging and system': {
        MAR_DEBUG: '1: print requests and stack traces; http: also headers and bodies',
        MAR_COMPLETE_WORDS: 'set by the PowerShell completion script',
        NODE_DISABLE_COMPILE_CACHE: 'do not store compiled code',
        DBUS_SESSION_BUS_ADDRESS: 'Linux: connection to the keychain',
        XDG_RUNTIME_DIR: 'Linux: where to find that connection by default',
      },
    }).map(([heading, meanings]) => ({ heading, rows: Object.entries(meanings) })),
    examples: {
      'Use another profile for one command': 'MAR_PROFILE=staging mar whoami',
    },
    footer: 'A flag wins over its variable.',
  },
  'exit-codes': {
    usage: 'mar <command>; echo $?',
    groups: [
      {
        heading: 'Exit codes',
        rows: exitCodeRows().map(([code, meaning]): HelpRow => [code, meaning.replaceAll('`', '')]),
      },
    ],
    examples: { 'Log in if the check fails': 'mar whoami --check || mar login' },
  },
};

/** Has the first example of each command. */
function nounPage(noun: CommandNode, commands: readonly LoadedCommand[]): Page {
  const name = noun.name();
  return {
    lead: noun.summary(),
    usage: `mar ${name} <command> [flags]`,
    all: `mar ${name} --help --all`,
    details: noun.description() || undefined,
    groups: [{ heading: 'Commands', rows: commands.map(verbRow) }],
    examples: Object.fromEntries(
      commands.flatMap(({ examples }) => Object.entries(examples).slice(0, 1)),
    ),
    footer: `For more about a command, run mar ${name} <command> --help`,
  };
}

const verbRow = (command: LoadedCommand): HelpRow => [
  usageOf(command.words.at(-1) ?? '', command),
  command.summary,
];

/** The verbs are those of a noun that is a command itself. */
function commandPage(command: LoadedCommand, verbs: readonly LoadedCommand[]): Page {
  const { arguments: args = [], options = [] } = command;
  const words = command.words.join(' ');
  return {
    lead: command.summary,
    usage: `mar ${usageOf(words, command)}${verbs.length > 0 ? ' [command]' : ''} [flags]`,
    all: `mar ${words} --help --all`,
    details: command.details,
    groups: [
      { heading: 'Commands', rows: verbs.map(verbRow) },
      { heading: 'Arguments', rows: args.map((arg): HelpRow => [argumentName(arg), arg.summary]) },
      ...groupsOf(options, optionRow),
    ],
    examples: command.examples,
    footer: 'For the flags that every command takes, run mar help output or mar help flags',
  };
}

function groupsOf<Item extends { group?: string }>(
  items: readonly Item[],
  toRow: (item: Item) => HelpRow,
): Group[] {
  const headings = [...new Set(items.map(({ group = 'Flags' }) => group))];
  return headings.map((heading) => ({
    heading,
    rows: items.filter(({ group = 'Flags' }) => group === heading).map(toRow),
  }));
}

/** With the prompt below it, on a terminal of 24 lines. */
const maxLines = 23;

/** Shorter pages, the best first: how much of the details, how many examples, and the fewest rows. */
const shapes = {
  command: [
    ['all', 3, Number.POSITIVE_INFINITY],
    ['sentence', 3, 5],
    ['none', 3, 5],
    ['sentence', 2, 5],
    ['none', 2, 5],
    ['none', 1, 1],
  ],
  topic: [
    ['none', 1, Number.POSITIVE_INFINITY],
    ['none', 0, 1],
  ],
} as const;

/** As much of a page as fits one screen of 80 columns, whatever the size of this one. The rest is named. */
export function fittedPage(page: Page): Page {
  const screen = { isTerminal: true, columns: 80 };
  const options = { style: createStyle(false), platform: 'linux' } as const;
  const fits = (one: Page) => renderHelp(one, screen, options).split('\n').length <= maxLines + 1;
  if (page.isIndex || fits(page)) return page;
  const [sentence] = page.details?.match(/^.*?[.:](?= [A-Z]|$)/) ?? [];
  const detailsOf = { all: page.details, sentence, none: undefined };
  const all = page.groups.flatMap(({ rows }) => rows).length;
  for (const [details, examples, least] of shapes[page.isTopic ? 'topic' : 'command']) {
    for (let count = all; count >= Math.min(least, all); count -= 1) {
      const shorter = shortened({ ...page, details: detailsOf[details] }, count, examples);
      if (fits(shorter)) return shorter;
    }
  }
  return page;
}

function shortened(page: Page, count: number, examples: number): Page {
  let left = count;
  const names: string[] = [];
  const topics: string[] = [];
  const groups = page.groups.map(({ heading, rows }) => {
    const kept = rows.slice(0, left);
    left -= kept.length;
    const topic = heading.toLowerCase();
    const isNamed = heading !== 'Flags' && Object.hasOwn(helpTopics, topic) && kept.length === 0;
    if (isNamed) topics.push(topic);
    else names.push(...rows.slice(kept.length).map(([term]) => longName(term) || term.trim()));
    return { heading, rows: kept.map(([term, meaning]): HelpRow => [term, firstPart(meaning)]) };
  });
  const also = names.length > 0 ? `Also ${names.join(', ')}. ` : '';
  const more = [...topics, 'output'].map((topic) => `mar help ${topic}`).join(', ');
  return {
    ...page,
    groups,
    examples: Object.fromEntries(Object.entries(page.examples).slice(0, examples)),
    footer: `${also}${page.isTopic ? 'See' : `See ${more}, or`} all of it: ${page.all}`,
  };
}

/** The part of a meaning before a semicolon that is not in parentheses. */
export const firstPart = (meaning: string) => meaning.replace(/;(?![^(]*\)).*/s, '');

interface HelpOptions {
  style: Style;
  platform: NodeJS.Platform;
}

export function renderHelp(
  page: Page,
  { isTerminal, columns: width }: Screen,
  options: HelpOptions,
): string {
  const columns = Math.min(width, 100);
  const blocksOf = page.isIndex && columns >= 60 ? indexBlocks : pageBlocks;
  const blocks = blocksOf(page, { isTerminal, columns, ...options });
  const texts = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function indexBlocks(
  { lead, usage, groups, footer }: Page,
  { columns, style }: Screen & HelpOptions,
) {
  const headingWidth = Math.max(...groups.map(({ heading }) => heading.length));
  const rows = groups.flatMap((group) => {
    const margin = (line: number) => (line === 0 ? group.heading : '').padEnd(headingWidth);
    const lines = groupLines(group.rows, termWidthOf(groups), columns - headingWidth);
    return lines.map((line, index) => style.bold(margin(index)) + line);
  });
  const first = `${lead}. Usage: ${usage}`;
  // One block without blank lines: the index fits a terminal of 24 lines.
  return [
    [
      ...(displayWidth(first) <= columns ? [first] : [lead, `Usage: ${usage}`]),
      ...rows,
      ...(footer ? wrapWords(footer, columns).map(style.dim) : []),
    ],
  ];
}

function pageBlocks(page: Page, options: Screen & HelpOptions): string[][] {
  const { columns, style, platform } = options;
  const block = (group: Group, termWidth: number) =>
    group.rows.length === 0
      ? []
      : [style.bold(group.heading), ...groupLines(group.rows, termWidth, columns)];
  const [usage = '', ...moreUsage] = wrapWords(page.usage, columns - 7);
  const examples = Object.entries(page.examples);
  return [
    [
      ...wrapWords(page.lead, columns).map(style.bold),
      `${style.dim('Usage:')} ${usage}`,
      ...moreUsage.map((line) => `       ${line}`),
    ],
    page.details
      ? wrapMessage(page.details, { isTerminal: true, columns }, { indent: '', platform })
      : [],
    ...page.groups.map((group) => block(group, termWidthOf(page.groups))),
    examples.length === 0
      ? []
      : [
          style.bold('Examples'),
          ...examples.flatMap(([task, line]) => [
            ...wrapWords(`  # ${task}`, columns, '  # ').map(style.dim),
            ...wrapCommand(`  ${line}`, options, platform),
          ]),
        ],
    page.footer ? wrapWords(page.footer, columns).map(style.dim) : [],
  ];
}

const termWidthOf = (groups: readonly Group[]) =>
  Math.max(0, ...groups.flatMap(({ rows }) => rows.map(([term]) => displayWidth(term))));

/** Meanings stand beside their terms, or below them where there is no room. */
function groupLines(rows: readonly HelpRow[], termWidth: number, columns: number): string[] {
  const besides = columns - termWidth - 4;
  return rows.flatMap(([term, meaning]) => {
    if (besides < 24) {
      const lines = wrapWords(meaning, columns - 8).map((line) => `        ${line}`);
      return [`  ${term}`, ...lines];
    }
    const indent = ' '.repeat(termWidth + 4);
    return wrapWords(meaning, besides).map(
      (line, index) => (index === 0 ? `  ${term.padEnd(termWidth)}  ` : indent) + line,
    );
  });
}

function optionRow({ flags, summary, choices, default: fallback }: Option): HelpRow {
  const indented = flags.startsWith('--') ? `    ${flags}` : flags;
  const meaning = choices ? `${summary} (${choices.join(', ')})` : summary;
  return [indented, fallback ? `${meaning} (default: ${fallback})` : meaning];
}

function argumentName({ name, optional, many }: Argument): string {
  const term = many ? `${name}...` : name;
  return optional ? `[${term}]` : `<${term}>`;
}

const usageOf = (name: string, { arguments: args = [] }: LoadedCommand) =>
  [name, ...args.map(argumentName)].join(' ');
