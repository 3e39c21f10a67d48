import type { Command } from '../../../core/commands/command.ts';
import { valueAt } from '../../../core/json/fields.ts';
import { rowsResult } from '../../../core/output/result.ts';
import type { Column } from '../../../core/output/viewType.ts';
import { stdinReadTwice } from '../../../core/reads/getRecords.ts';
import { groupBy } from '../../../core/values/groupBy.ts';
import { plural } from '../../../core/values/numbers.ts';
import { type Change, changesBetween, comparableText } from '../compare/difference.ts';
import type { Line } from '../line.ts';
import {
  checkSourceNames,
  encodingOption,
  graphicsOption,
  readSubtitles,
  rememberRequests,
  sourceArgument,
  warnOfFile,
} from './source.ts';

const summary = 'work request id, a subtitle file, or - for standard input';

export const command: Command = {
  isPaged: true,
  summary: 'Show the differences between two translations',
  details: 'Lists the lines that were added, removed, re-timed or re-worded.',
  arguments: [
    { ...sourceArgument, name: 'before', summary },
    { ...sourceArgument, name: 'after', summary },
  ],
  options: [graphicsOption, encodingOption],
  examples: {
    'Compare a work request and a file': 'mar translation diff wr-2001 trailer.srt',
  },
  async *run(context, input) {
    const [first = '', second = ''] = input.arguments;
    if (first === '-' && second === '-') throw stdinReadTwice();
    checkSourceNames([first, second]);
    const [before, after] = await Promise.all([
      readSubtitles(context, input, first),
      readSubtitles(context, input, second),
    ]);
    warnOfFile(context, [before, after]);
    const changes = context.world.interruptible(() => changesBetween(before.lines, after.lines));
    const summary = summaryOf(changes, before.lines, after.lines);
    yield rowsResult(changes.map(changeRecord), changeColumns, { notes: [summary] });
    await rememberRequests(context, [before, after]);
  },
};

function changeRecord(change: Change) {
  const [before, after] = [sideOf(change.before), sideOf(change.after)];
  const number = after?.number ?? before?.number ?? null;
  return { change: change.kind, number, before, after };
}

function sideOf(line: Line | undefined) {
  if (!line) return null;
  const { number = null, start, stop } = line;
  return { number, startTime: start.text, stopTime: stop.text, text: comparableText(line) };
}

/** A cell with only what differs: the times, the words, or both. */
const sideCell = (side: 'before' | 'after') => (record: unknown) => {
  const valueIn = (path: string) => valueAt(record, path) ?? '';
  if (valueIn(side) === '') return '';
  const times = `${valueIn(`${side}.startTime`)}–${valueIn(`${side}.stopTime`)}`;
  const change = valueIn('change');
  if (change === 're-timed') return times;
  const words = `${valueIn(`${side}.text`)}`;
  // The words first: they matter more if the cell is cut.
  return change === 're-worded' ? words : `${words} (${times})`;
};

const changeColumns: readonly Column[] = [
  { title: 'Change', path: 'change', importance: 2 },
  { title: 'Line', path: 'number', kind: 'number' },
  { title: 'Before', path: 'before', read: sideCell('before'), importance: 1 },
  { title: 'After', path: 'after', read: sideCell('after'), importance: 1 },
];

function summaryOf(changes: readonly Change[], before: readonly Line[], after: readonly Line[]) {
  const kinds = groupBy(changes, ({ kind }) => kind);
  const parts = [...kinds].map(([name, { length }]) => `${length} ${name}`);
  return `${plural(before.length, 'line')} before, ${after.length} after: ${parts.join('; ') || 'no differences'}`;
}
