import { type EndpointId, endpoints } from '../../api/endpoints.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Input, Option } from '../command.ts';

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
