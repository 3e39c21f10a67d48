import type { Context } from '../../context.ts';
import type { MarError } from '../../errors.ts';
import { cellText } from '../../terminal/cell.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import type { Shown } from '../../terminal/view.ts';
import { items, nameOf } from '../views/reading.ts';
import type { Poll } from './poll.ts';
import type { WaitFlags } from './waitFlags.ts';

/** What happens during a wait, line by line on standard error, each with its time. */
export class WaitLog {
  readonly #context: Context;
  readonly #flags: WaitFlags;
  /** The ids that could not be read the last time, and why. */
  readonly #troubles = new Map<string, string>();

  constructor(context: Context, flags: WaitFlags) {
    this.#context = context;
    this.#flags = flags;
  }

  /** Somebody who looks on is told what is going on; a job's log need not be. */
  begin(): void {
    if (!this.#context.streams.stderr.isTerminal) return;
    const { goal, timeoutMs } = this.#flags;
    const end = new Date(this.#context.world.now().getTime() + timeoutMs);
    this.#context.say(
      `waiting for ${goal.reached.join(' or ')}, until ${clock(end)} at most; Ctrl-C ends it`,
    );
  }

  /** For the poll of one id. */
  of(id: string): Pick<Poll, 'onStatus' | 'onTrouble' | 'onAnswer'> {
    return {
      onStatus: (record, status, before) => {
        if (before === undefined) this.#warnOfUnknown(record);
        const change = before === undefined ? '' : `${before || '(no status)'} → `;
        this.#line(id, `${change}${status || '(no status)'}${causeOf(record, status)}`);
      },
      onTrouble: (error) => {
        const isNews = ![...this.#troubles.values()].includes(error.message);
        this.#troubles.set(id, error.message);
        if (isNews) this.#line(id, `${error.message}; will try again`);
      },
      onAnswer: () => {
        if (this.#troubles.delete(id) && this.#troubles.size === 0) {
          this.#line(id, 'the service answers again');
        }
      },
    };
  }

  failed(id: string, error: MarError): void {
    this.#line(id, error.message);
  }

  /** A status that is mistyped is never reached. The record may know which ones there are. */
  #warnOfUnknown(record: Shown): void {
    const known = items(record.value, '$statuses').map(cellText);
    const { reached, failed } = this.#flags.goal;
    const unknown = [...reached, ...failed].filter((status) => !known.includes(status));
    if (known.length === 0 || unknown.length === 0) return;
    const names = unknown.map((status) => `"${status}"`).join(', ');
    this.#context.note(`warning: the records do not know ${names}, but ${known.join(', ')}`);
  }

  #line(id: string, text: string): void {
    this.#context.say(`${clock(this.#context.world.now())}  ${id}  ${sanitise(text)}`);
  }
}

/** Who brought the record to its status, and why, where its history ends with that. */
function causeOf(record: Shown, status: string): string {
  const last = items(record.value, 'history').at(-1);
  if (cellText(valueAt(last, 'status')) !== status) return '';
  const who = cellText(nameOf(last, 'user'));
  const why = cellText(valueAt(last, 'reason'));
  const by = who === '' ? '' : `, by ${who}`;
  return why === '' ? by : `${by}: ${why}`;
}

/** The time of day where this runs: `14:03:59`. */
const clock = (date: Date) =>
  [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
