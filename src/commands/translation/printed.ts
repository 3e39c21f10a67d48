import type { Context } from '../../context.ts';
import { exactLines, inOrder, readLines, type Which } from '../../subtitles/lines.ts';
import type { Shown, View } from '../../terminal/view.ts';

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
export async function printLines(context: Context, record: Shown, which: Which): Promise<void> {
  const { lines } = await readLines('the work request', record.value, which);
  const exact = exactLines(record.text, which);
  const records = inOrder(lines).lines.map(({ place }): Shown => {
    const text = exact[place - 1] ?? '{}';
    return { value: JSON.parse(text), text };
  });
  await context.printer.list(inOnePage(records), lineView);
}

async function* inOnePage(records: Shown[]): AsyncGenerator<Shown[]> {
  yield records;
}
