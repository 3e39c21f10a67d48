import { forPerson, type Hint } from '../errors.ts';
import { choicesIn, type Input, option } from '../input.ts';

/** The checks of a write, by the names that --skip-checks takes. */
const checkNames = [
  /** Names of fields and columns. */
  'field',
  'language',
  'country',
  'territory',
  /** Statuses, uses, treatments and the like, and what a spreadsheet leaves in a cell. */
  'value',
  /** Dates and their time zones. */
  'due',
  /** Whether the asset exists, and is for the requested uses. */
  'asset',
  /** Whether people who are notified exist. */
  'user',
  /** Whether an order is whole: an asset, a language, a wish. */
  'order',
  /** A fetched record that is given as an order. */
  'record',
] as const;

export type CheckName = (typeof checkNames)[number];

export const skipChecksOption = option(
  '--skip-checks[=names]',
  'skip the checks for probable mistakes, or only those that you name',
  { choices: checkNames, isList: true },
);

/** Whether the user wants to send what this check refuses. */
export function skips({ options }: Pick<Input, 'options'>, check: CheckName): boolean {
  const { skipChecks } = options;
  return typeof skipChecks === 'string'
    ? choicesIn(skipChecks).includes(check)
    : skipChecks === true;
}

/** The hint for what these checks found. */
export const skipHint = (...checks: readonly string[]): Hint =>
  forPerson(`Correct it, or send it as it is with --skip-checks=${[...new Set(checks)].join(',')}`);

export const nothingSent = (hint: Hint): Hint => ({
  ...hint,
  text: `Nothing was sent. ${hint.text}`,
});
