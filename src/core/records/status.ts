import type { Role, Service } from '../api/service.ts';
import type { Clock } from '../values/time.ts';

/** The colours of a terminal's style. */
export type Colours = Readonly<Record<'green' | 'yellow' | 'red', (text: string) => string>>;

/** Whether a time is late depends on what a status means at the service. */
export interface ServiceClock extends Clock {
  service(): Service;
}

/** A status that the description of the service does not have is unknown, and so never done. */
type Meaning = 'done' | 'cancelled' | 'open' | 'blocked' | 'unknown';

/** The meaning of a status, and who acts. The document says neither, so both are assumed unless they are set. */
export function meaningOf(status: string, service: Service) {
  const word = status.toLowerCase();
  // Settings come last.
  const item = service.items('status').findLast((one) => one.toLowerCase() === word);
  const { value = 'unknown', basis } = service.fact('status', item ?? '*') ?? {};
  const [meaning, role] = value.split(':') as [Meaning, (Role | 'nobody')?];
  // No further step follows, so nothing is overdue any more.
  const isSettled = meaning === 'done' || meaning === 'cancelled';
  return { meaning, role, value, isSettled, isSet: basis === 'set' };
}

const colours = { done: 'green', cancelled: 'red', open: 'yellow', blocked: 'yellow' } as const;

export function paintStatus(text: string, style: Colours, service: Service): string {
  const { meaning } = meaningOf(text, service);
  return meaning === 'unknown' ? text : style[colours[meaning]](text);
}
