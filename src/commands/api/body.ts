import { type Answered, decodeJson, elementsOf, readJson } from '../../client/answer.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { HttpAnswer, HttpRequest } from '../../http/message.ts';
import { isMachineFormat } from '../../terminal/format.ts';
import type { Printer } from '../../terminal/printer.ts';
import { sanitiseLines } from '../../terminal/sanitise.ts';
import type { View } from '../../terminal/view.ts';

/** Of a record that nothing is known about, only the picked columns can be shown. */
export const unknownView: View = { columns: [], card: () => ({ title: '', sections: [] }) };

/** What is not JSON cannot be printed in these forms. */
const needsJson = ({ flags: { format, columns } }: Context) =>
  columns !== undefined || (format !== undefined && isMachineFormat(format));

/** Rows are made of columns, and only the user knows which there are. */
export function checkFormat({ flags: { format, columns } }: Context): void {
  if (format === undefined || isMachineFormat(format) || columns) return;
  throw usageError(
    `-o ${format} needs --columns here: what the answer holds is not known`,
    'for example --columns _id,name; or leave it out, for JSON',
  );
}

/** JSON, unless columns were picked. */
export const printerOf = ({ flags, printer }: Context): Printer =>
  flags.columns || printer.isForPrograms ? printer : printer.as('json');

/** Prints the body of an answer; of a list, says how long it is. */
export async function printBody(
  context: Context,
  request: HttpRequest,
  answer: HttpAnswer,
): Promise<number | undefined> {
  if (answer.body.length === 0) return undefined;
  const json = needsJson(context) ? readJson(request, answer) : decodeJson(answer.body);
  if ('whyNot' in json) {
    await printAsItCame(context, answer);
    return undefined;
  }
  const printer = printerOf(context);
  const elements = elementsOf(json);
  if (elements) await printer.list(once(elements), unknownView);
  else await printer.record(json, unknownView);
  return elements?.length;
}

async function* once(elements: Answered<unknown>[]): AsyncGenerator<Answered<unknown>[]> {
  yield elements;
}

async function printAsItCame(context: Context, { body, headers }: HttpAnswer): Promise<void> {
  const { stdout } = context.streams;
  const type = headers['content-type'];
  if (/[/+]json\b/i.test(type ?? '')) {
    context.note('warning: the service calls this answer JSON, and it is not');
  }
  if (!stdout.isTerminal) return stdout.write(body);
  const text = textOf(body);
  if (text === undefined) {
    throw usageError(
      `the answer is binary (${body.length} bytes${type ? `, ${type}` : ''}): a terminal cannot show it`,
      'the request was sent; to keep the answer, send the output to a file: mar api … > FILE',
    );
  }
  const lines = sanitiseLines(text);
  // What follows begins on a line of its own.
  await stdout.write(`${lines.join('\n')}${lines.at(-1) === '' ? '' : '\n'}`);
}

/** What is meant to be read; undefined for anything else. */
function textOf(body: Buffer): string | undefined {
  if (body.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
