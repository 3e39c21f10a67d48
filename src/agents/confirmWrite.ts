import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import { visibleJson } from '../values/sanitise.ts';

const maxQuestionLength = 2000;

/** Asks the person about a write, in clients that can. Returns the question, or the answer to it. */
export function confirmWrite(
  shown: string,
  responses: Parameters<typeof inputResponse>[0],
): InputRequiredResult | boolean {
  const answer = inputResponse(responses, 'write');
  if (answer.kind === 'elicit') return answer.action === 'accept';
  return inputRequired({
    inputRequests: {
      write: inputRequired.elicit({
        message: `Write this?\n${visibleJson(shown).slice(0, maxQuestionLength)}`,
        requestedSchema: { type: 'object', properties: {} },
      }),
    },
  });
}
