import type { Service } from '../api/service.ts';
import { onCommandLine, orUndefined, type Refusal } from '../errors.ts';
import { type Input, type Invocation, stringOption } from '../input.ts';
import { valueAt } from '../json/fields.ts';
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
 * A new work request is an order. What it needs, and what only the service makes, is in the description of
 * the service. The API shows no way to change or cancel one, so anything else is refused.
 */

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
  const service = session.service();
  return (record: JsonObject, base?: Json): Refusal[] => {
    // The session of a plan has the time of the plan.
    const clock = { ...session.clock, now: world.now() };
    if (isObject(base)) {
      const due = record.get('due');
      const isPast = !isSame(due, base.get('due')) && pastDate(due, clock);
      return isPast ? as('due', deadlineProblems(record, clock, service)).slice(0, 1) : [];
    }
    return [
      ...as('record', fetchedProblems(record, hosts(), input, service)),
      ...as('order', missingFields(record, service)),
      ...as('due', deadlineProblems(record, clock, service)),
    ];
  };
}

/** Problems that can be skipped by the name of their check. */
const as = (check: CheckName, problems: readonly Refusal[]) =>
  problems.map((problem) => ({ ...problem, check }));

const advice: Readonly<Record<string, string>> = {
  asset: 'an order names its asset by the id',
  language: 'an order names a language, such as fra',
  uses: 'say what it is for with --use, also for all rows (the usage of an asset lists its uses), or add a treatment, as in dng.dialogue',
};

/** `uses/dng` needs one of the two. */
function missingFields(record: JsonObject, service: Service): Refusal[] {
  const needs = service.parts('order', 'needs');
  const has = (field: string) => {
    const value = valueAt(record, field) as Json | undefined;
    const json = field === 'asset' ? idOf(value) : value;
    const isBlank = typeof json === 'string' && json.trim() === '';
    return json !== false && !isEmpty(json) && !isBlank;
  };
  const missing = needs.filter((need) => !need.split('/').some(has));
  const others = needs.filter((need) => !missing.includes(need));
  const rests = { key: 'order.needs', value: others.join(',') || 'no' };
  return missing.map((need) => {
    const [name = ''] = need.split('/');
    const field = name === 'uses' ? 'uses.items' : name;
    const message = `${field}: missing; ${advice[name] ?? `an order has ${need.replaceAll('/', ' or ')}`}`;
    return { field, message, rests };
  });
}

/** The asset was read, and is not for all requested uses. */
export function usesProblem(id: string, items: unknown, asset: unknown, service: Service) {
  if (service.value('order', 'uses') !== 'of-asset') return undefined;
  const usage = Object.entries(valueAt(asset, 'usage') ?? {});
  const uses = usage.flatMap(([use, isAllowed]) => (isAllowed === true ? [use] : []));
  const others = Array.isArray(items) ? items.filter((item) => !uses.includes(item)) : [];
  if (usage.length === 0 || others.length === 0) return undefined;
  const value = others.join(', ');
  const message = `asset ${id} is not for the use ${value} (its uses: ${uses.join(', ') || 'none'})`;
  return {
    field: 'uses.items',
    value,
    check: 'asset',
    message,
    rests: { key: 'order.uses', value: 'any' },
  };
}

/** A fetched record would be an order that is already complete, with the history of another one. */
function fetchedProblems(
  record: JsonObject,
  hosts: ReadonlySet<string> | undefined,
  input: Input,
  service: Service,
): Refusal[] {
  const made = service.parts('order', 'made');
  const firstStatus = service.value('order', 'first-status');
  const { dropped } = withoutServiceFields(record, made, hosts);
  const names = dropped.filter((path) => {
    const value = record.get(path);
    if (path === 'status' && value === firstStatus) return false;
    // Somebody may order for a colleague. The service embeds more than the id.
    if (path === 'from' && (!isObject(value) || value.size === 1)) return false;
    return !isSetByFlag(input, path);
  });
  // People write a reason, too.
  if (names.every((path) => path === 'reason')) return [];
  const own = names.filter((path) => !path.includes('.'));
  // The document embeds records in an order, with their links.
  const shown = own.length > 0 ? own : names.filter((path) => !path.includes('.$'));
  const [field] = shown;
  if (field === undefined) return [];
  const file = stringOption(input, 'file');
  const like =
    file === undefined ? '--like FILE or --like ID' : commandLine`--like ${file} instead of -f`;
  const message = `this is a fetched record, not an order: the service makes ${shown.join(', ')}`;
  const isShown = (name: string) =>
    shown.includes(name) || (name === '$' && shown.some(isComputed));
  const value = made.filter((name) => !isShown(name)).join(',') || 'no';
  const hint = onCommandLine(`To order the same work, use ${like}`);
  return [{ field, message, hint, rests: { key: 'order.made', value } }];
}

const isComputed = (name: string) => name.startsWith('$');

/** A field that the user sets by its name is meant, whoever makes it otherwise. */
const isSetByFlag = ({ given }: Input, path: string) =>
  given.some(({ name, value }) => {
    const [field] = /^[^.[=]*/.exec(value) ?? [];
    return name.startsWith('set') && path.split(/[.[]/)[0] === field;
  });
