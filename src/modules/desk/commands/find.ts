import { resources } from '../../../core/api/endpoints.ts';
import type { Client } from '../../../core/client/client.ts';
import type { Command } from '../../../core/commands/command.ts';
import { type Hint, MarError, runHint, usageError } from '../../../core/errors.ts';
import { type Input, option, stringOption } from '../../../core/input.ts';
import { ServiceRecord } from '../../../core/json/serviceRecord.ts';
import { Progress } from '../../../core/output/progress.ts';
import { listResult } from '../../../core/output/result.ts';
import type { View } from '../../../core/output/viewType.ts';
import {
  type Candidate,
  candidateMatcher,
  candidatesOf,
  type FoundRecord,
  findKinds,
  maxSearched,
  type SearchedList,
  searchedLists,
} from '../../../core/reads/candidates.ts';
import { idReader } from '../../../core/reads/ids.ts';
import { guardedPages, wholeList } from '../../../core/reads/listRecords.ts';
import type { Context } from '../../../core/session/context.ts';
import { recentIds } from '../../../core/session/remember.ts';
import { trackedIds } from '../../../core/session/tracked.ts';
import { openOrders, warnOfUnknownOrders } from '../../../core/session/unknownOrders.ts';
import { words } from '../../../core/values/commandLine.ts';
import { atMost, defaultConcurrency } from '../../../core/values/concurrency.ts';
import { formatSeconds } from '../../../core/values/duration.ts';
import { groupDigits, plural, pluralNoun } from '../../../core/values/numbers.ts';

const view: View = {
  columns: [
    { title: 'Kind', path: 'kind', importance: 3 },
    { title: 'Id', path: '_id', kind: 'id' },
    { title: 'Name', path: 'name', importance: 4 },
    { title: 'Match', path: 'match', importance: 2 },
  ],
};

export const command: Command = {
  isPaged: true,
  summary: 'Find assets, projects, files, users and work requests by name or id',
  details:
    'Searches the downloads (with their assets and projects), files, users and assets for workflow notification of the service, and the records that you used on this machine. The service cannot list work requests, so mar finds those that you used or follow. All words must match, in any order, with or without accents. The best matches come first.',
  arguments: [{ name: 'words', summary: 'words in a name, or an id', many: true }],
  options: [
    option('--kind <kind>', 'search only this kind of record', { choices: findKinds }),
    option('--all', `search whole lists, not only ${groupDigits(maxSearched)} records of each`),
  ],
  examples: {
    'Find what is called harbor': 'mar find harbor',
    'Find a user': 'mar find --kind user greta',
    'Show the best match':
      'mar asset get "$(mar find harbor trailer --kind asset --jq-slurp \'.[0]._id\')"',
  },
  async *run(context, input) {
    // People also paste the address of a record.
    const readId = idReader(context);
    const query = input.arguments
      .map((word) => readId(word, 'any'))
      .join(' ')
      .trim();
    const example = { text: 'For example:', command: words`mar find harbor` };
    if (query === '') throw usageError('the words to find are empty', example);
    const search = searchFor(context, input, query);
    yield listResult(search.pages(), view);
    warnOfUnknownOrders(context, (await openOrders(context)).unknown);
    search.finish();
  },
};

function searchFor(context: Context, input: Input, query: string) {
  const wanted = stringOption(input, 'kind');
  const isWanted = (kind: string) => wanted === undefined || kind === wanted;
  const isWhole = input.options.all === true;
  const lists = searchedLists.filter(({ kinds }) => kinds.some(isWanted));
  const matches = candidateMatcher(query);
  /** By kind and id: several lists may hold the same record. */
  const found = new Map<string, FoundRecord>();
  /** The searched records in words, in the order of the lists: `62 files`. */
  const searched = new Map<SearchedList | 'used', string>();
  const failures: MarError[] = [];
  /** Limits the requests of all lists together. */
  const limited = atMost(context.session.settings.concurrency ?? defaultConcurrency.reads);
  let isCut = false;
  let count = 0;

  function add(candidates: readonly Candidate[]): void {
    for (const candidate of candidates.filter(({ kind }) => isWanted(kind))) {
      const key = `${candidate.kind} ${candidate.id}`;
      const match = matches(candidate);
      const known = found.get(key);
      if (match && (!known || match.rank < known.rank)) found.set(key, match);
    }
  }

  /** A list that fails is reported, and the others go on. */
  async function searchList(client: Client, list: SearchedList): Promise<void> {
    const { endpoint, noun, part: which } = list;
    const whole = wholeList(context, input);
    const extent = isWhole ? whole : { ...whole, to: maxSearched - 1 };
    let read = 0;
    let total: number | undefined;
    try {
      const pages = guardedPages(context, extent, (range, signal) =>
        limited(() => client.unreadPage(endpoint, { range, signal })),
      );
      for await (const page of pages) {
        read += page.records.length;
        count += page.records.length;
        total = page.total;
        add(page.records.flatMap(({ value }) => candidatesOf(list, value)));
      }
    } catch (error) {
      if (!(error instanceof MarError) || context.world.signal.aborted) throw error;
      failures.push(error);
      const part = read === 0 ? 'not searched' : `searched only up to record ${read}`;
      context.reporter.warn('incomplete-search', `the ${noun}s were ${part}: ${error.message}`);
      return;
    }
    const isPart = total === undefined ? !isWhole && read >= maxSearched : read < total;
    isCut ||= isPart;
    const all = total === undefined ? '' : ` of ${groupDigits(total)}`;
    const words = `the ${which} ${groupDigits(read)}${all} ${pluralNoun(total ?? read, noun)}`;
    searched.set(list, isPart ? words : plural(read, noun));
  }

  async function searchAll(): Promise<void> {
    const tracked = trackedIds(context.session).map((id) => ({ kind: 'wr', id, name: '' }));
    const recent = recentIds(context.session).map(({ kind, id, text }) => {
      const { name = kind } = resources.find(({ resource }) => resource === kind) ?? {};
      return { kind: name, id, name: text };
    });
    const used = [...recent, ...tracked].filter(({ kind }) => isWanted(kind));
    searched.set('used', `${plural(used.length, 'record')} used on this machine`);
    for (const list of lists) searched.set(list, '');
    add(used);
    if (lists.length === 0) return;
    const client = await context.session.client();
    const progress = new Progress(context.reporter.progressOptions, (elapsedMs) =>
      count === 0
        ? [`Waiting for the service… ${formatSeconds(elapsedMs / 1000)}`]
        : [`Searched ${plural(count, 'record')}`, `${groupDigits(found.size)} found`],
    );
    try {
      await Promise.all(lists.map((list) => searchList(client, list)));
    } finally {
      progress.end();
    }
  }

  async function* pages(): AsyncGenerator<ServiceRecord[]> {
    await searchAll();
    const all = [...found.values()].sort(byRank);
    const isFolded = wanted === undefined && context.session.isOnScreen;
    yield (isFolded ? withoutFlood(all) : all).map(toRecord);
  }

  function finish() {
    if (failures.length > 0 && failures.length === lists.length) throw MarError.together(failures);
    const note = `Searched ${[...searched.values()].filter(Boolean).join(', ')}`;
    const cutNote = isCut ? `${note}. To search the others too, add --all` : note;
    const ending = wanted === 'wr' ? `${note}. The service cannot list work requests.` : cutNote;
    if (found.size > 0) return context.reporter.reportAtEnd(ending);
    if (wanted === 'wr') {
      const none = `no work request that this machine knows matches "${query}". The service cannot list them, so there may be others`;
      return context.reporter.warn('incomplete-search', [none, ...idHint(query, wanted)]);
    }
    throw new MarError('not-found', `${wanted ? `no ${wanted}` : 'nothing'} matches "${query}"`, {
      hint: [searchedFields, ending, ...idHint(query, wanted)],
    });
  }

  return { pages, finish };
}

const searchedFields = 'mar searches names and ids, not other fields, such as the language.';

/** Perhaps it is the id of a record that no list contains. */
function idHint(query: string, kind: string | undefined): Hint[] {
  if (!/\d/.test(query) || /\s/.test(query)) return [];
  // An id such as n-3001 begins with its kind.
  const own = /^[a-z]-/.test(query) ? query[0] : 'wr';
  const noun = kind ?? (own === 'a' ? 'asset' : own);
  if (noun !== 'asset' && noun !== 'wr') return [];
  return [runHint('If it is an id', words`mar ${noun} get ${query}`)];
}

const maxAlike = 3;

/** Many files, or orders for one asset, are one line, so that they do not hide other matches. */
function withoutFlood(found: readonly FoundRecord[]): FoundRecord[] {
  const assetOf = ({ kind, name }: FoundRecord) =>
    kind === 'wr' ? name.replace(/(?:, [\w-]{2,8}){1,2}$/, '') : '';
  const isOneOfMany = ({ kind, rank }: FoundRecord) => rank > 0 && ['wr', 'file'].includes(kind);
  return found.flatMap((one) => {
    const { kind } = one;
    const [asset = '', noun] = [assetOf(one), kind === 'wr' ? 'orders' : 'files'];
    const isAlike = (other: FoundRecord) => other.kind === kind && assetOf(other) === asset;
    const same = found.filter((other) => isOneOfMany(other) && isAlike(other));
    if (!isOneOfMany(one) || same.length <= maxAlike) return [one];
    const match = `--kind ${kind} lists them`;
    return same[0] === one ? [{ ...one, id: `${same.length} ${noun}`, name: asset, match }] : [];
  });
}

/** Among equals, what people look for most comes first: an asset before the orders for it. */
const kindOrder = ['asset', 'project', 'wr', 'file', 'user'];

const orderOf = ({ kind }: FoundRecord) => (kindOrder.includes(kind) ? kindOrder.indexOf(kind) : 9);

const byRank = (a: FoundRecord, b: FoundRecord) =>
  a.rank - b.rank || orderOf(a) - orderOf(b) || (a.name < b.name ? -1 : Number(a.name > b.name));

const toRecord = ({ kind, id, name, match }: FoundRecord) =>
  ServiceRecord.fromValue({ kind, _id: id, name, match });
