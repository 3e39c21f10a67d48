import path from 'node:path';
import { type Endpoint, type EndpointId, endpoints } from '../api/endpoints.ts';
import { checkHintsOf } from '../client/request.ts';
import { forPerson, type Hints, runHint } from '../errors.ts';
import { shortPath } from '../files/paths.ts';
import { option, readOption } from '../input.ts';
import { textAt, valueAt } from '../json/fields.ts';
import { fromPlain } from '../json/value.ts';
import type { LoggedWrite } from '../log/accountLog.ts';
import { rowsResult } from '../output/result.ts';
import type { Column, View } from '../output/viewType.ts';
import { readSince } from '../records/dateText.ts';
import type { Context } from '../session/context.ts';
import { pageTemplate } from '../session/remember.ts';
import { commandLine, words } from '../values/commandLine.ts';
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
  { title: 'Id', path: 'id', kind: 'id' },
  {
    title: 'Undo',
    path: 'takenBackWith',
    importance: 4,
    words: (row) => (valueAt(row, 'takenBackWith') ? 'yes' : valueAt(row, 'final') ? 'final' : ''),
  },
  { title: 'Final', path: 'final', isOffScreen: true },
  { title: 'Next step', path: 'next', isOffScreen: true },
  { title: 'Command', path: 'command', importance: 1 },
  { title: 'File', path: 'file', importance: 1, words: (row) => shortPath(textAt(row, 'file')) },
  { title: 'Web page', path: 'page', kind: 'link', isOffScreen: true },
];

const view: View = { columns };

export const command: Command = {
  isPaged: true,
  summary: 'List the writes in your log, and whether they are final',
  details:
    'Newest first; writes whose outcome is unknown come before the others. A batch is one line. mar undo takes the number, unless the write is final. The log is a file on this machine, or the one that MAR_LOG names. With a token from the environment and no MAR_LOG, there is none.',
  view,
  options: [
    option('--since <time>', 'only writes since then: today, yesterday, 12h, 7d or a date'),
    option('--unknown', 'only writes whose outcome is unknown'),
  ],
  examples: {
    'List what you wrote today': 'mar log --since today',
    'List what is still unknown': 'mar log --unknown',
    'Take back the write with the number 12': 'mar undo 12',
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
    const steps = sorted.flatMap(({ number, next }) => (next ? `No. ${number}: ${next}` : []));
    yield rowsResult(sorted, columns, { isOwn: true, notes: steps });
    if (rows.length === 0) {
      reporter.reportAtEnd(
        writes.length > 0
          ? 'No such writes in the log'
          : 'The log of this machine has no writes of this account',
      );
    }
  },
};

/** The writes of the account that were sent, newest first; the runs of a batch together. */
export async function loggedWrites({ session }: Context): Promise<LoggedWrite[]> {
  const { baseUrl, email } = session.identity();
  const all = (await session.log())?.writes(baseUrl.href, email) ?? [];
  const sent = all.filter(({ outcome }) => outcome !== 'unsent').reverse();
  const batches = new Set<string>();
  return sent.filter(({ batch }) => {
    if (!batch) return true;
    const isLast = !batches.has(batch.id);
    batches.add(batch.id);
    return isLast;
  });
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

function rowOf(context: Context, write: LoggedWrite, all: readonly LoggedWrite[]) {
  const { number, at, by, file, batch, counts, what, outcome } = write;
  const state = stateOf(write, all);
  const isOpen = ['unknown', 'unfinished', 'sent again'].includes(state);
  const isFinal = outcome === 'done' && state !== 'unknown' && !isUndoable(write);
  return {
    number,
    at,
    what: describeWrite(write),
    state,
    final: isFinal,
    takenBackWith:
      isUndoable(write) && !isUndo(write) ? commandLine`mar undo ${String(number)}` : undefined,
    next: isOpen ? nextStep(context, write) : undefined,
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
export const nextStep = ({ reporter }: Context, write: LoggedWrite): string =>
  reporter.textOf(nextHints(write)).replaceAll('.\n', '. ').replaceAll('\n', '; ');

function nextHints({ outcome, batch, change, endpoint, what, order, counts }: LoggedWrite): Hints {
  if (outcome === 'repeated')
    return 'If this one arrived too, there are two: ask those who do the work';
  if (batch) {
    const command = counts?.unknown
      ? words`mar batch resolve ${shortPath(batch.journal)}`
      : words`mar batch status ${shortPath(batch.journal)}`;
    return runHint('To see the rows', command);
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
