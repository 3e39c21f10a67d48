import { formats } from '../terminal/format.ts';
import { timeUnits } from '../terminal/time.ts';

/** What a user can set once instead of typing it each time. */
export interface Settings {
  timeUnit?: (typeof timeUnits)[number];
  output?: (typeof formats)[number];
  pageSize?: number;
  concurrency?: number;
  rememberIds?: 'on' | 'off';
}

interface Rule {
  /** As it is called on the command line. */
  key: string;
  summary: string;
  choices?: readonly string[];
  /** For a whole number from 1. */
  most?: number;
}

/** The one list of settings: their names, what they mean and what they may be. */
export const settingRules: Readonly<Record<keyof Settings, Rule>> = {
  timeUnit: {
    key: 'time-unit',
    summary: "the unit of the service's times; auto tells it from their size",
    choices: timeUnits,
  },
  output: { key: 'output', summary: 'how results are printed', choices: formats },
  pageSize: { key: 'page-size', summary: 'records a request, in lists', most: 10_000 },
  concurrency: { key: 'concurrency', summary: 'requests side by side', most: 64 },
  rememberIds: {
    key: 'remember-ids',
    summary: 'whether Tab offers the ids that you have used',
    choices: ['on', 'off'],
  },
};

/** What is wrong with a setting's value, if anything. A setting that is not known is left alone. */
export function settingProblem(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(settingRules, name)) return undefined;
  const { choices, most } = settingRules[name as keyof Settings];
  if (choices) {
    return choices.some((choice) => choice === value)
      ? undefined
      : `expected ${choices.join(', ')}`;
  }
  const fits = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= (most ?? 1);
  return fits ? undefined : `expected a whole number from 1 to ${most}`;
}
