import { knownStatuses } from '../../api/statuses.ts';
import { usageError } from '../../errors.ts';
import { parseDuration } from '../../http/duration.ts';
import { type Input, type Option, textOption } from '../command.ts';
import type { Goal } from './poll.ts';

export interface WaitFlags {
  goal: Goal;
  timeoutMs: number;
  intervalMs: number;
}

const defaults = { timeout: '30m', interval: '10s' };

const offerStatuses = () => knownStatuses.workRequest.map((value) => ({ value }));

export const waitOptions: readonly Option[] = [
  {
    flags: '--status <names>',
    summary: 'wait for one of these statuses, separated by commas; must be given',
    many: true,
    completes: offerStatuses,
  },
  {
    flags: '--fail-status <names>',
    summary: 'stop waiting, with exit code 1, at one of these',
    many: true,
    completes: offerStatuses,
  },
  {
    flags: '--timeout <duration>',
    summary: 'give up after this long, all in all',
    default: defaults.timeout,
  },
  {
    flags: '--interval <duration>',
    summary: 'look about this often',
    default: defaults.interval,
  },
];

/** What is waited for, how long, and how often it is looked at. */
export function readWaitFlags(input: Input): WaitFlags {
  const duration = (name: 'timeout' | 'interval') =>
    parseDuration(textOption(input, name) ?? defaults[name], `--${name}`);
  const flags = {
    goal: { reached: statuses(input, 'status'), failed: statuses(input, 'failStatus') },
    timeoutMs: duration('timeout'),
    intervalMs: duration('interval'),
  };
  const { reached, failed } = flags.goal;
  if (reached.length === 0) {
    throw usageError('say what to wait for', 'for example --status complete,awaiting-approval');
  }
  const both = reached.find((status) => failed.includes(status));
  if (both !== undefined) {
    throw usageError(`"${both}" cannot be both --status and --fail-status`);
  }
  return flags;
}

/** `--status a,b`, once or several times. */
function statuses(input: Input, name: string): string[] {
  const given = input.options[name];
  if (!Array.isArray(given)) return [];
  const names = given.flatMap((text: string) => text.split(',')).map((text) => text.trim());
  if (names.includes('')) {
    const flag = name === 'status' ? '--status' : '--fail-status';
    throw usageError(`${flag} takes one or more statuses, separated by commas`);
  }
  return [...new Set(names)];
}
