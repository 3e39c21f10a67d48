import { type FieldProblem, onCommandLine, orUndefined } from '../errors.ts';
import { type Input, type Invocation, stringOption } from '../input.ts';
import { isObject, isSame, type Json, type JsonObject } from '../json/value.ts';
import { deadlineProblems, pastDate } from '../records/lateness.ts';
import { idOf } from '../records/references.ts';
import { isEmpty, withoutServiceFields } from '../records/serviceFields.ts';
import type { Context } from '../session/context.ts';
import { knownHosts } from '../session/remember.ts';
import { commandLine } from '../values/commandLine.ts';
import { lazily } from '../values/concurrency.ts';
import type { CheckName } from './checks.ts';

/*
 * A new work request is an order: it names an asset, a language and something to do, and has nothing
 * that only the service makes. The API shows no way to cancel a work request, so anything else is refused.
 */

/** The status of a new work request. */
const firstStatus = 'incomplete';

/** What is requested: treatments, uses, digital cinema packages, automatic work. */
const wishes = ['dng', 'uses', 'dcp', 'auto', 'autosubs'];

const isWish = (json: Json | undefined) => json !== false && !isEmpty(json);
const isBareReference = (json: Json | undefined) => !isObject(json) || json.size === 1;
const isText = (json: Json | undefined) => typeof json === 'string' && json.trim() !== '';

/**
 * Returns why a record is not an order. Records of other kinds have no such problems. A change of a work
 * request, which only the sandbox makes, has its base; then only a new due date in the past is a problem.
 */
export function orderChecker(
  { session, world }: Context,
  { endpoint, input }: Pick<Invocation, 'endpoint' | 'input'>,
) {
  if (endpoint !== 'workRequestCreate') return () => [];
  // `--check` needs no account. Without one, no host is known to be another one.
  const hosts = lazily(() => orUndefined(() => knownHosts(session)));
  return (record: JsonObject, base?: Json): FieldProblem[] => {
    // The session of a plan has the time of the plan.
    const clock = { ...session.clock, now: world.now() };
    if (isObject(base)) {
      const due = record.get('due');
      const isPast = !isSame(due, base.get('due')) && pastDate(due, clock);
      return isPast ? as('due', deadlineProblems(record, clock)).slice(0, 1) : [];
    }
    return [
      ...as('record', fetchedProblems(record, hosts(), input)),
      ...as('order', missingFields(record)),
      ...as('due', deadlineProblems(record, clock)),
    ];
  };
}

/** Problems that can be skipped by the name of their check. */
const as = (check: CheckName, problems: readonly FieldProblem[]) =>
  problems.map((problem) => ({ ...problem, check }));

function missingFields(record: JsonObject): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const report = (field: string, advice: string) =>
    problems.push({ field, message: `${field}: missing; ${advice}` });
  if (!isText(idOf(record.get('asset')))) report('asset', 'an order names its asset by the id');
  if (!isText(record.get('language'))) report('language', 'an order names a language, such as fra');
  if (!wishes.some((name) => isWish(record.get(name)))) {
    report('uses.items', 'an order has a use, such as online, or a treatment, as in dng.dialogue');
  }
  return problems;
}

/** A fetched record would be an order that is already complete, with the history of another one. */
function fetchedProblems(
  record: JsonObject,
  hosts: ReadonlySet<string> | undefined,
  input: Input,
): FieldProblem[] {
  const { dropped } = withoutServiceFields(record, hosts);
  const names = dropped.filter((path) => {
    const value = record.get(path);
    if (path === 'status' && value === firstStatus) return false;
    // Somebody may order for a colleague. The service embeds more than the id.
    if (path === 'from' && isBareReference(value)) return false;
    return !isSetByFlag(input, path);
  });
  // People write a reason, too.
  if (names.every((path) => path === 'reason')) return [];
  // Embedded records have such fields too. Those of the record itself say enough.
  const own = names.filter((path) => !path.includes('.'));
  const shown = own.length > 0 ? own : names;
  const [field] = shown;
  if (field === undefined) return [];
  const file = stringOption(input, 'file');
  const like = file === undefined ? '--like FILE or --like ID' : likeFlag(file);
  const message = `this is a fetched record, not an order: the service makes ${shown.join(', ')}`;
  return [{ field, message, hint: onCommandLine(`To order the same work, use ${like}.`) }];
}

const likeFlag = (file: string) =>
  `${file === '-' ? '--like -' : commandLine`--like ${file}`} instead of -f`;

/** A field that the user sets by its name is meant, whoever makes it otherwise. */
const isSetByFlag = ({ given }: Input, path: string) =>
  given.some(({ name, value }) => {
    const [field] = /^[^.[=]*/.exec(value) ?? [];
    return name.startsWith('set') && path.split(/[.[]/)[0] === field;
  });
