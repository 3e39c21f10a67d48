import { createHash, randomUUID } from 'node:crypto';
import { inputRequired, inputResponse, type ServerContext } from '@modelcontextprotocol/server';
import { MarError, usageError } from '../../core/errors.ts';
import type { CallOutcome } from './call.ts';

/* An agent writes only what a call has shown, once, and only if the person agrees who can be asked. */

const tokenMs = 10 * 60 * 1000;

export const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

export const refusal = (reason: string) =>
  usageError(reason, 'Nothing was sent. Call the tool without a token to see the request again.');

/** A write that was shown. It may be carried out once. */
export interface ShownWrite {
  /** A digest of the call that showed it, which the second call repeats. */
  call: string;
  question: string;
  /** The time for dates such as +14d, so that the dates are those that were shown. */
  at: Date;
  /** Undefined for a batch or a file: its preview is made again, and has to have this digest. */
  plan?: CallOutcome['plan'];
  digest: string;
  /** The second call does not repeat them. */
  warnings: readonly string[];
  outcome?: string;
  /** Something may have been written of which the agent does not know. */
  isUnknown?: boolean;
}

/** The writes that this process has shown, each under a token. */
export class ShownWrites {
  readonly #writes = new Map<string, ShownWrite>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  keep(write: ShownWrite): string {
    const token = randomUUID();
    this.#writes.set(token, write);
    return token;
  }

  find(token: string, call: string): ShownWrite {
    const write = this.#writes.get(token);
    if (!write) throw refusal('unknown token');
    if (write.outcome) {
      const outcome = write.isUnknown ? 'unknown' : 'not-sent';
      throw usageError(`the token was used before: ${write.outcome}`, { outcome });
    }
    const age = this.#now().getTime() - write.at.getTime();
    if (age > tokenMs) throw refusal('the token is older than 10 minutes');
    if (write.call === call) return write;
    throw refusal('the token belongs to another request');
  }
}

/** False until the person has answered. Throws if the answer is no. */
export function hasAgreed(write: ShownWrite, request: ServerContext['mcpReq']): boolean {
  const answer = inputResponse(request.inputResponses, 'write');
  if (answer.kind !== 'elicit') return false;
  if (answer.action === 'accept') return true;
  const said = answer.action === 'cancel' ? 'cancelled the question' : 'declined';
  write.outcome = `the person ${said}, and nothing was written`;
  throw new MarError('interrupted', write.outcome, { outcome: 'not-sent' });
}

export const questionOf = ({ question: message }: ShownWrite) =>
  inputRequired({
    inputRequests: {
      write: inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } }),
    },
  });
