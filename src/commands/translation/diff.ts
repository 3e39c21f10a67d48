import { pathSegment } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { valueAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { type Change, changesBetween, wordsOf } from '../../subtitles/difference.ts';
import type { Line } from '../../subtitles/lines.ts';
import type { View } from '../../terminal/view.ts';
import type { Input } from '../command.ts';
import { remember } from '../read/remember.ts';
import { isFile, readSource } from './source.ts';

/** Prints what became of each line that is not the same in both. */
export async function diffSources(context: Context, input: Input): Promise<void> {
  const [first = '', second = ''] = input.arguments;
  if (first === '-' && second === '-') {
    throw usageError('standard input (-) can be read once only');
  }
  for (const word of [first, second]) if (!isFile(word)) pathSegment(word);
  const [before, after] = await Promise.all([
    readSource(context, input, first),
    readSource(context, input, second),
  ]);
  const changes = context.world.interruptible(() => changesBetween(before.lines, after.lines));
  const { printer } = context;
  if (changes.length > 0 || printer.isForPrograms) {
    await printer.records(changes.map(recordOf), changeView);
  }
  const used = [before, after].flatMap(({ name, record }) =>
    record ? [{ id: name, record }] : [],
  );
  if (used.length > 0) await remember(context, 'WorkRequest', used);
  if (!printer.isForPrograms) context.note(summary(changes, before.lines, after.lines));
}

function nameOf({ before, after, isRetimed, isReworded }: Change): string {
  if (!before) return 'added';
  if (!after) return 'gone';
  return [isRetimed ? 're-timed' : '', isReworded ? 're-worded' : '']
    .filter((part) => part !== '')
    .join(', ');
}

function recordOf(change: Change): ServiceRecord {
  const { before, after } = change;
  const value = {
    change: nameOf(change),
    number: after?.number ?? before?.number ?? null,
    before: before ? sideOf(before) : null,
    after: after ? sideOf(after) : null,
  };
  return ServiceRecord.fromValue(value);
}

const sideOf = (line: Line) => ({
  number: line.number ?? null,
  startTime: line.start.text,
  stopTime: line.stop.text,
  text: wordsOf(line),
});

/** What is different, and no more: the times, the words, or both. */
const shownSide = (side: 'before' | 'after') => (record: unknown) => {
  const textAt = (path: string) => valueAt(record, path) ?? '';
  if (textAt(side) === '') return '';
  const times = `${textAt(`${side}.startTime`)}–${textAt(`${side}.stopTime`)}`;
  const change = textAt('change');
  if (change === 're-timed') return times;
  const words = `${textAt(`${side}.text`)}`;
  // The words first: where there is little room, they tell more.
  return change === 're-worded' ? words : `${words} (${times})`;
};

const changeView: View = {
  columns: [
    { title: 'Change', path: 'change', kind: 'status', importance: 2 },
    { title: 'Line', path: 'number', kind: 'number' },
    { title: 'Before', path: 'before', read: shownSide('before'), importance: 1 },
    { title: 'After', path: 'after', read: shownSide('after'), importance: 1 },
  ],
};

function summary(changes: readonly Change[], before: readonly Line[], after: readonly Line[]) {
  const counts = new Map<string, number>();
  for (const change of changes) counts.set(nameOf(change), (counts.get(nameOf(change)) ?? 0) + 1);
  const parts = [...counts].map(([name, count]) => `${count} ${name}`);
  return `${before.length} lines before, ${after.length} after: ${parts.join('; ') || 'no difference'}`;
}
