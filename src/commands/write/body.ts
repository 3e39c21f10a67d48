import { type EndpointId, endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Edit } from '../../records/edit.ts';
import { commandLine } from '../../values/commandLine.ts';
import { type Input, type Option, textOption } from '../command.ts';

const editNames: ReadonlySet<string> = new Set(['set', 'set-string', 'unset']);

/** The changes that were asked for, in their order. */
const editsOf = (input: Input): Edit[] =>
  input.given
    .filter(({ name }) => editNames.has(name))
    .map(({ name, value }) => ({ kind: name as Edit['kind'], text: value }));

/** The same, with what the files hold that they name. */
export async function readEdits({ streams }: Context, input: Input): Promise<Edit[]> {
  const edits = editsOf(input);
  const files = edits.length === 0 ? [] : await filesOf(edits);
  const fromStdin = ['file', 'base', 'batch'].map((name) => textOption(input, name)).concat(files);
  if (fromStdin.filter((file) => file === '-').length > 1) {
    throw usageError('standard input (-) can be read once only');
  }
  if (files.every((file) => file === undefined)) return edits;
  const { readValue } = await import('../../records/document.ts');
  for (const [index, file] of files.entries()) {
    const edit = edits[index];
    if (file === undefined || edit === undefined) continue;
    edit.content = await readValue(file, streams.stdin).catch((error: Error) => {
      const hint = `a text that begins with @ is set with ${commandLine`--set-string ${edit.text}`}`;
      throw usageError(`--set ${edit.text}: ${error.message}`, hint);
    });
  }
  return edits;
}

async function filesOf(edits: readonly Edit[]): Promise<(string | undefined)[]> {
  const { fileOf } = await import('../../records/edit.ts');
  return edits.map(fileOf);
}

export const forceOption: Option = {
  flags: '--force',
  summary: 'send codes as they are, even those that are on no standard list',
};

/** Refuses a record with a code of a language or a country that does not exist. */
export async function refuseUnknownCodes(
  context: Context,
  input: Input,
  endpointId: EndpointId,
  record: JsonObject,
): Promise<void> {
  if (input.options.force) return;
  const { checkCodes } = await import('../../records/codes.ts');
  const { problems, notes } = await checkCodes(endpoints[endpointId].resource, record);
  if (problems.length > 0) {
    const lines = problems.map(({ message, suggestion }) =>
      suggestion ? `${message}; ${suggestion}` : message,
    );
    throw usageError(lines.join('\n'), 'with --force it is sent as it is');
  }
  for (const note of notes) context.note(`note: ${note}`);
}
