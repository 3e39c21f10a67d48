import { type Endpoint, endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { Progress } from '../../terminal/progress.ts';
import type { Column, View } from '../../terminal/view.ts';
import { commandLine } from '../../values/commandLine.ts';
import { defaultConcurrency, merged, Semaphore } from '../../values/concurrency.ts';
import { formatSeconds } from '../../values/duration.ts';
import { groupDigits, plural, pluralNoun } from '../../values/numbers.ts';
import { type Command, type Input, stringOption } from '../command.ts';
import { kindOf } from '../kinds.ts';
import { idReader } from '../read/ids.ts';
import { guardedPages, wholeList } from '../read/list.ts';
import { recentIds } from '../read/remember.ts';
import {
  type Candidate,
  candidateMatcher,
  type Found,
  findKinds,
  inAsset,
  inDownload,
  inFile,
  inUser,
} from './candidates.ts';

const maxSearched = 1000;

interface SearchedList {
  endpoint: Endpoint;
  /** The singular: `download`. */
  noun: string;
  /** The kinds of records in it. */
  kinds: readonly string[];
  /** The sandbox's lists start with the newest record; the API says nothing about their order. */
  part: 'newest' | 'first';
  candidates(record: unknown): Candidate[];
}

const searchedLists: readonly SearchedList[] = [
  {
    endpoint: endpoints.downloadList,
    noun: 'download',
    kinds: ['asset', 'project', 'file'],
    part: 'newest',
    candidates: inDownload,
  },
  {
    endpoint: endpoints.fileList,
    noun: 'file',
    kinds: ['file'],
    part: 'first',
    candidates: inFile,
  },
  {
    endpoint: endpoints.assetWorkflowNotify,
    noun: 'workflow notification',
    kinds: ['asset'],
    part: 'first',
    candidates: inAsset,
  },
  {
    endpoint: endpoints.userList,
    noun: 'user',
    kinds: ['user'],
    part: 'first',
    candidates: inUser,
  },
];

const columns: readonly Column[] = [
  { title: 'Kind', path: 'kind', importance: 3 },
  { title: 'Id', path: 'id', kind: 'id' },
  { title: 'Name', path: 'name', importance: 4 },
  { title: 'Match', path: 'match', importance: 2 },
];
const view: View = { columns };

export const command: Command = {
  name: 'find',
  isPaged: true,
  summary: 'Find assets, projects, files, users and work requests by name or id',
  details:
    'mar searches the records that you used on this machine, and the lists of the service: downloads (with their ' +
    'assets and projects), files, users, and assets for workflow notification. The service cannot list work requests, ' +
    'so mar finds only those that you used. All words must match, in any order and case, with or without accents. ' +
    'The best matches come first; with --jsonl, matches are printed as they are found. If nothing matches, the exit code is 5.',
  arguments: [{ name: 'words', summary: 'words in a name, or an id', many: true }],
  options: [
    { flags: '--kind <kind>', summary: 'search only this kind of record', choices: findKinds },
    {
      flags: '--all',
      summary: `search whole lists, not only the first ${groupDigits(maxSearched)} records`,
    },
  ],
  examples: {
    'Find everything called harbor': 'mar find harbor',
    'Find a user': 'mar find --kind user greta',
    'Show the best match':
      'mar asset get "$(mar find harbor trailer --kind asset --jq-slurp \'.[0].id\')"',
  },
  async run(context, input) {
    // People also paste the address of a record.
    const readId = idReader(context);
    const query = input.arguments
      .map((word) => readId(word, 'any'))
      .join(' ')
      .trim();
    if (query === '')
      throw usageError('the words to find are empty', 'For example: mar find harbor');
    const search = new Search(context, input, query);
    const isStreamed = context.flags.format === 'jsonl';
    await context.printer.list(isStreamed ? search.stream() : search.ranked(), view);
    search.finish();
  },
};

class Search {
  readonly #context: Context;
  readonly #query: string;
  readonly #kind: string | undefined;
  readonly #lists: readonly SearchedList[];
  readonly #isWhole: boolean;
  readonly #input: Input;
  readonly #matches: (candidate: Candidate) => Found | undefined;
  /** By kind and id: several lists may hold the same record. */
  readonly #found = new Map<string, Found>();
  /** The searched records in words, in the order of the lists: `62 files`. */
  readonly #searched = new Map<SearchedList | 'used', string>();
  readonly #failures: MarError[] = [];
  /** Limits the requests of all lists together. */
  readonly #gate: Semaphore;
  #isCut = false;
  #count = 0;

  constructor(context: Context, input: Input, query: string) {
    this.#context = context;
    this.#query = query;
    this.#input = input;
    const kind = stringOption(input, 'kind');
    this.#kind = kind;
    this.#lists = searchedLists.filter(({ kinds }) => kind === undefined || kinds.includes(kind));
    this.#isWhole = input.options.all === true;
    this.#matches = candidateMatcher(query);
    this.#gate = new Semaphore(context.settings.concurrency ?? defaultConcurrency.reads);
  }

  async *ranked(): AsyncGenerator<ServiceRecord[]> {
    for await (const _ of this.stream());
    yield [...this.#found.values()].sort(byRank).map(toRecord);
  }

  /** New matches as they are found: those of this machine at once, then those of the lists. */
  async *stream(): AsyncGenerator<ServiceRecord[]> {
    const used = this.#used();
    this.#searched.set('used', plural(used.length, 'recently used record'));
    for (const list of this.#lists) this.#searched.set(list, '');
    yield this.#add(used).map(toRecord);
    if (this.#lists.length === 0) return;
    const client = await this.#context.client();
    const progress = new Progress(this.#context.progressOptions, (elapsedMs) =>
      this.#count === 0
        ? [`Waiting for the service… ${formatSeconds(elapsedMs / 1000)}`]
        : [`Searched ${plural(this.#count, 'record')}`, `${groupDigits(this.#found.size)} found`],
    );
    try {
      for await (const page of merged(this.#lists.map((list) => this.#pages(client, list)))) {
        const added = this.#add(page);
        if (added.length > 0) yield added.map(toRecord);
      }
    } finally {
      progress.end();
    }
  }

  finish(): void {
    const searched = this.#searchedNote();
    if (this.#failures.length > 0 && this.#failures.length === this.#lists.length) {
      throw MarError.together(this.#failures);
    }
    if (this.#found.size > 0) {
      this.#context.reportAtEnd(searched);
      return;
    }
    const what = this.#kind === undefined ? 'nothing' : `no ${this.#kind}`;
    throw new MarError('not-found', `${what} matches "${this.#query}"`, {
      hint: [searched, this.#idHint()].filter(Boolean).join('\n'),
    });
  }

  #used(): Candidate[] {
    const tracked = this.#context.memory.entries('Tracked');
    const requests = tracked.map((entry) => ({ ...entry, kind: 'WorkRequest' }));
    return [...recentIds(this.#context), ...requests].flatMap(
      ({ kind: resource, id, text: name }) => {
        const kind = kindOf(resource);
        const isWanted = kind !== undefined && (this.#kind === undefined || kind === this.#kind);
        return isWanted ? [{ kind, id, name }] : [];
      },
    );
  }

  /** The candidates of a list, page by page. A list that fails is reported, and the others go on. */
  async *#pages(
    client: Awaited<ReturnType<Context['client']>>,
    list: SearchedList,
  ): AsyncGenerator<Candidate[]> {
    const { endpoint, noun, part: which, candidates } = list;
    const context = this.#context;
    const whole = wholeList(context, this.#input);
    const extent = this.#isWhole ? whole : { ...whole, to: maxSearched - 1 };
    let count = 0;
    let total: number | undefined;
    try {
      const pages = guardedPages(context, extent, (range, signal) =>
        this.#gate.run(() => client.unreadPage(endpoint, { range, signal })),
      );
      for await (const page of pages) {
        count += page.records.length;
        this.#count += page.records.length;
        total = page.total;
        yield page.records.flatMap(({ value }) => candidates(value));
      }
    } catch (error) {
      if (!(error instanceof MarError) || context.world.signal.aborted) throw error;
      this.#failures.push(error);
      const part = count === 0 ? 'not searched' : `searched only up to record ${count}`;
      context.warn('incomplete-search', `the ${noun}s were ${part}: ${error.message}`);
      return;
    }
    const isCut = total === undefined ? !this.#isWhole && count >= maxSearched : count < total;
    this.#isCut ||= isCut;
    const all = total === undefined ? '' : ` of ${groupDigits(total)}`;
    this.#searched.set(
      list,
      isCut
        ? `the ${which} ${groupDigits(count)}${all} ${pluralNoun(total ?? count, noun)}`
        : plural(count, noun),
    );
  }

  #add(candidates: readonly Candidate[]): Found[] {
    return candidates.flatMap((candidate) => {
      const { kind, id } = candidate;
      const key = `${kind} ${id}`;
      if (this.#kind !== undefined && kind !== this.#kind) return [];
      const found = this.#matches(candidate);
      const known = this.#found.get(key);
      if (!found || (known && known.rank <= found.rank)) return [];
      this.#found.set(key, found);
      // With --jsonl, a record is printed once, though a later list may have a better name for it.
      return known ? [] : [found];
    });
  }

  #searchedNote(): string {
    const lists = `Searched ${[...this.#searched.values()].filter(Boolean).join(', ')}`;
    if (this.#kind === 'wr') return `${lists}. The service cannot list work requests.`;
    return this.#isCut ? `${lists}; --all searches everything` : lists;
  }

  /** Perhaps it is the id of a record that no list contains. */
  #idHint(): string {
    const query = this.#query;
    if (!/\d/.test(query) || /\s/.test(query)) return '';
    const noun = this.#kind === 'asset' || query.startsWith('a-') ? 'asset' : 'wr';
    if (this.#kind !== undefined && this.#kind !== noun) return '';
    return noun === 'asset'
      ? `If it is an id, run: ${commandLine`mar asset get ${query}`}`
      : `If it is an id, run: ${commandLine`mar wr get ${query}`}`;
  }
}

/** Among equals, what people look for most comes first. */
const kindOrder = ['wr', 'asset', 'project', 'file', 'user'];

const orderOf = ({ kind }: Found) => (kindOrder.includes(kind) ? kindOrder.indexOf(kind) : 9);

const byRank = (a: Found, b: Found) =>
  a.rank - b.rank || orderOf(a) - orderOf(b) || (a.name < b.name ? -1 : Number(a.name > b.name));

const toRecord = ({ kind, id, name, match }: Found) =>
  ServiceRecord.fromValue({ kind, id, name, match });
