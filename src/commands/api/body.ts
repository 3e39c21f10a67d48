import { type Answered, decodeJson, elementsOf, readJson } from '../../client/answer.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { HttpAnswer, HttpRequest } from '../../http/message.ts';
import { flatten } from '../../terminal/flatten.ts';
import type { Printer } from '../../terminal/printer.ts';
import { sanitiseLines } from '../../terminal/sanitise.ts';
import type { View } from '../../terminal/view.ts';

/** Of a record that nothing is known about, its fields are shown as they come. */
export const unknownView: View = {
  columns: [],
  card: (record) => ({ title: '', sections: [{ rows: flatten(record) }] }),
};

/** What is not JSON cannot be printed in the form that was asked for. */
const needsJson = ({ flags: { format, columns, jq } }: Context) =>
  columns !== undefined || format !== undefined || jq !== undefined;

/** JSON, unless something else was asked for. */
export const printerOf = (context: Context): Printer =>
  needsJson(context) || context.printer.isWholeRecord
    ? context.printer
    : context.printer.as('json');

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
