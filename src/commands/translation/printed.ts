import type { Context } from '../../context.ts';
import { exactLines, inOrder, movedWarning, readLines, type Which } from '../../subtitles/lines.ts';
import type { Shown, View } from '../../terminal/view.ts';
import type { Asked } from './files.ts';

const lineView: View = {
  columns: [
    { title: 'Number', path: 'number', kind: 'number' },
    { title: 'Start', path: 'startTime', kind: 'id' },
    { title: 'Stop', path: 'stopTime', kind: 'id' },
    { title: 'Text', path: 'text', importance: 1 },
  ],
  card: () => ({ title: '', sections: [] }),
};

/** The lines as records of their own, in whichever form records are printed. */
export async function printLines(
  context: Context,
  { id, record }: Asked,
  which: Which,
): Promise<void> {
  const { lines, moved } = inOrder((await readLines(id, record.value, which)).lines);
  if (moved) context.note(`warning: ${movedWarning(id)}`);
  const exact = exactLines(record.text, which);
  const records = lines.map(({ place }): Shown => {
    const text = exact[place - 1] ?? '{}';
    return { value: JSON.parse(text), text };
  });
  await context.printer.list(inOnePage(records), lineView);
}

async function* inOnePage(records: Shown[]): AsyncGenerator<Shown[]> {
  yield records;
}
