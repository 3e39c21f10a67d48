import path from 'node:path';
import { type Endpoint, type EndpointId, endpoints } from '../api/endpoints.ts';
import { checkHintsOf } from '../client/request.ts';
import { forPerson, type Hints, runHint } from '../errors.ts';
import { shortPath } from '../files/paths.ts';
import { option, readOption } from '../input.ts';
import { textAt } from '../json/fields.ts';
import { fromPlain } from '../json/value.ts';
import type { LoggedWrite } from '../log/accountLog.ts';
import { rowsResult } from '../output/result.ts';
import type { Column } from '../output/viewType.ts';
import { readSince } from '../records/dateText.ts';
import type { Context } from '../session/context.ts';
import { pageTemplate } from '../session/remember.ts';
import { commandLine, words } from '../values/commandLine.ts';
import { groupBy } from '../values/groupBy.ts';
import { groupDigits } from '../values/numbers.ts';
import { formatDate, formatRelative } from '../values/time.ts';
import { whatNext } from '../writes/placedBefore.ts';
import type { Command } from './command.ts';
import { webAddress } from './wr/webPage.ts';

const columns: readonly Column[] = [
  { title: 'No.', path: 'number', kind: 'number', importance: 6 },
  {
    title: 'Time',
    path: 'at',
    importance: 5,
    words: (row, { now }) => formatRelative(new Date(textAt(row, 'at')), now),
  },
  { title: 'What', path: 'what', importance: 6, wraps: true },
  { title: 'State', path: 'state', importance: 4 },
  { title: 'Id', path: 'id', kind: 'id', importance: 3 },
  { title: 'Undo', path: 'undo', importance: 4 },
  { title: 'Next step', path: 'next', isOffScreen: true },
  { title: 'Command', path: 'command', importance: 1 },
  { title: 'File', path: 'file', importance: 1, words: (row) => shortPath(textAt(row, 'file')) },
  { title: 'Web page', path: 'page', kind: 'link', isOffScreen: true },
];

export const command: Command = {
  isPaged: true,
  summary: 'List the writes of your account in the log, and whether they are final',
  details:
    'Newest first, after those in state unknown. UNDO is yes for what mar undo NUMBER takes back (a batch: while its journal is there), and final for what mar cannot take back; of a batch, for its rows that are done. It is unknown for what is final if it arrived. The log is a file on this machine, or the one that MAR_LOG names. With MAR_LOG=off, or with a token from the environment and no MAR_LOG, there is none.',
  view: { columns },
  options: [
    option('--since <time>', 'only writes since then: today, yesterday, 12h, 7d or a date'),
    option('--unknown', 'only writes in state unknown'),
  ],
  examples: {
    'List what you wrote today': 'mar log --since today',
    'List what is still unknown': 'mar log --unknown',
    'Save the writes of a week': 'mar log --since 7d -O log.xlsx',
  },
  async *run(context, input) {
    const { reporter, world } = context;
    const since = readOption(input, 'since', (text) => readSince(text, world.now()));
    const writes = await loggedWrites(context);
    const rows = writes
      .filter(({ at }) => !since || Date.parse(at) >= since.getTime())
      .map((write) => rowOf(context, write, writes))
      .filter(({ state }) => !input.options.unknown || state === 'unknown');
    const isUnknown = ({ state }: { state: string }) => state === 'unknown';
    const sorted = [...rows.filter(isUnknown), ...rows.filter((row) => !isUnknown(row))];
    // All ended batches have the same one.
    const ended = sorted.find(({ next, state }) => next && !isOpen(state));
    const steps = sorted.filter((row) => row === ended || (row.next && isOpen(row.state)));
    const notes = steps.map(({ number, next }) => `No. ${number}: ${next}`);
    yield rowsResult(sorted, columns, { isOwn: true, notes });
    if (rows.length === 0) reporter.reportAtEnd('The log has no such writes of this account');
  },
};

/** The writes of the account that were sent, newest first; the runs of a batch together. */
export async function loggedWrites({ session }: Context): Promise<LoggedWrite[]> {
  const { baseUrl, email } = session.identity();
  const all = (await session.log())?.writes(baseUrl.href, email) ?? [];
  const sent = all.filter(({ outcome }) => outcome !== 'unsent').reverse();
  const runs = groupBy(sent, ({ batch, write }) => batch?.id ?? write);
  return [...runs.values()].flatMap(([last]) => last ?? []);
}

/** `all` has the undo of a batch, if there is one. */
export function stateOf({ outcome, counts, batch }: LoggedWrite, all: readonly LoggedWrite[] = []) {
  if (outcome === 'done' && counts?.unknown) return 'unknown';
  if (outcome === 'done' && batch) {
    const undo = all.find((one) => one.batch?.undoOf === batch.id);
    // Without counts, the undo was killed.
    if (undo && undo.outcome !== 'taken-back' && undo.counts?.done !== 0)
      return 'partly taken back';
    const { pending, failed, conflict, invalid, changed } = counts ?? {};
    if (pending || failed || conflict || invalid || changed) return 'unfinished';
    if (counts?.resent) return 'sent again';
  }
  if (outcome === 'repeated') return 'sent again';
  return outcome === 'taken-back' ? 'taken back' : outcome;
}

/** A write that took another one back. */
export const isUndo = ({ by }: Pick<LoggedWrite, 'by'>) => / undo$/.test(by);

/** Only the writes of records that can be read keep the values that they replaced. */
export function isUndoable({ endpoint, change, batch, outcome, counts }: LoggedWrite): boolean {
  if (outcome !== 'done' && outcome !== 'unknown') return false;
  if (!batch) return change !== undefined;
  const { readBy }: Partial<Endpoint> = endpoints[endpoint as EndpointId] ?? {};
  const { done = 0, unknown = 0 } = counts ?? {};
  // Without counts, the process was killed: the journal knows.
  return readBy !== undefined && (counts === undefined || done + unknown > 0);
}

/** The word in the column UNDO. */
function undoWord({ outcome, batch, counts }: LoggedWrite, isUndoable: boolean) {
  if (isUndoable) return 'yes';
  if (outcome === 'taken-back') return 'taken back';
  if (batch ? counts?.done : outcome === 'done') return 'final';
  return outcome === 'refused' || counts?.unknown === 0 ? '-' : 'unknown';
}

/** The page of a record in the web application, if its address is known. */
export const pageOf = ({ session }: Context, { endpoint, id }: LoggedWrite) =>
  endpoint === 'workRequestCreate'
    ? webAddress({ _id: id, urls: { view: pageTemplate(session) } })
    : undefined;

/** `wr The Harbor (a-1001), fin FIN, due 2026-12-03 23:59`, `asset The Harbor (a-1001): name, type` */
export function describeWrite({ what, batch, counts = {}, by, file, change }: LoggedWrite): string {
  const { kind, id, asset, workRequest, notified, name, language, territory, due } = what;
  const undo = isUndo({ by }) ? 'undo of ' : '';
  if (batch) {
    const parts = Object.entries(counts).filter(([, count]) => count > 0);
    const texts = parts.map(([state, count]) => `${groupDigits(count)} ${state}`);
    const rows = [`${undo}${groupDigits(batch.rows)} × ${kind}`, file && path.basename(file)];
    return `${rows.filter(Boolean).join(', ')}: ${texts.join(', ') || 'in progress or interrupted'}`;
  }
  const record = id ?? asset ?? workRequest;
  const named = name && record ? `${name} (${record})` : (name ?? record);
  const place = [language, territory].filter(Boolean).join(' ');
  const dueText = due && `due ${formatDate(new Date(due))}`;
  const people = notified && `to notify ${notified}`;
  const { before = new Map(), after = new Map() } = change ?? {};
  const fields = [...new Set([...before.keys(), ...after.keys()])];
  const text = [`${undo}${kind} ${named ?? ''}`.trim(), place, dueText, people].filter(Boolean);
  return text.join(', ') + (fields.length > 0 ? `: ${fields.join(', ')}` : '');
}

const isOpen = (state: string) => ['unknown', 'unfinished', 'sent again'].includes(state);

function rowOf(context: Context, write: LoggedWrite, all: readonly LoggedWrite[]) {
  const { number, at, by, file, batch, counts, what } = write;
  const state = stateOf(write, all);
  const undo = undoWord(write, isUndoable(write));
  return {
    number,
    at,
    what: describeWrite(write),
    state,
    undo,
    final: undo === 'final',
    takenBackWith: undo === 'yes' ? commandLine`mar undo ${String(number)}` : undefined,
    next: isOpen(state) || batch ? nextStep(context, write) : undefined,
    command: by,
    file,
    ...what,
    id: write.id ?? what.id,
    rows: batch?.rows,
    ...counts,
    page: pageOf(context, write),
  };
}

/** How to find out what became of a write, and to say so: a cell of a table. */
export const nextStep = ({ reporter }: Context, write: LoggedWrite) =>
  reporter.textOf(nextHints(write)).replaceAll('.\n', '. ').replaceAll('\n', '; ');

export function nextHints(write: LoggedWrite): Hints {
  const { outcome, batch, change, endpoint, what, order, counts } = write;
  if (outcome === 'repeated') {
    const two = 'If this one arrived too, there are two: ask those who do the work.';
    const found = runHint('To say that it arrived', words`mar wr track ID`);
    return endpoint === 'eventPut' ? two : [two, found];
  }
  if (batch) {
    const journal = shortPath(batch.journal);
    if (counts?.unknown) return runHint('To see the rows', words`mar batch resolve ${journal}`);
    return isOpen(stateOf(write))
      ? runHint('To see what to do', words`mar batch status ${journal}`)
      : runHint('To list its ids', words`mar batch report ${journal}`);
  }
  if (order?.place) return whatNext(endpoint as EndpointId, order);
  const hints = checkHintsOf(
    endpoints[endpoint as EndpointId] ?? {},
    fromPlain({ ...what, _id: what.id }),
  );
  const missing = change ? 'If it has the old values' : 'If it is not there';
  const again = forPerson(`${missing}, run the same command again.`);
  return hints.length === 0 ? 'Check whether the service has it' : [...hints, again];
}
