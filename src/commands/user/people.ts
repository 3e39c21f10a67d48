import type { Context } from '../../context.ts';
import { type FieldProblem, MarError, usageError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { folded, textMatcher } from '../../values/match.ts';
import { nearest } from '../../values/nearest.ts';
import { refuse, skipChecksHint } from '../write/body.ts';
import { listedUsers, type Person } from './knownUsers.ts';

const maxListed = 20;
/** Nobody reads more of them, and each takes as long as the list has users. */
const maxSuggestions = 100;

const nothingSentHint = `Nothing was sent. ${skipChecksHint}`;

/** Finds users in the service's list, which is read at most once, and only if it is needed. */
export class People {
  readonly #context: Context;
  #all?: Promise<ReadonlyMap<string, Person>>;
  #suggestions = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The ids of users that are given by id, e-mail or name. */
  async ids(flag: string, given: readonly string[]): Promise<string[]> {
    const ids = new Set<string>();
    for (const one of given) ids.add(await this.#idOf(flag, one));
    return [...ids];
  }

  async #idOf(flag: string, given: string): Promise<string> {
    if (await this.#hasId(given)) return given;
    const found = matching(given, [...(await this.#list()).values()]);
    const [first] = found;
    if (!first) {
      const { message, ...facts } = await this.#describeUnknown(given);
      throw usageError(`${flag}: ${message}`, nothingSentHint, { flag, ...facts });
    }
    if (found.length > 1) {
      const lines = [`${flag} ${given}: ${found.length} users match`, ...table(found)];
      throw usageError(lines.join('\n'), 'Nothing was sent. Use the id of one of them.');
    }
    this.#context.reportOnce(`${flag} ${given}: ${nameAndId(first)}`);
    return first.id;
  }

  /** The users in `notify.users` of an event that the service does not have. */
  async problemsWith(event: JsonObject): Promise<FieldProblem[]> {
    const notify = event.get('notify');
    const users = isObject(notify) ? notify.get('users') : undefined;
    const field = 'notify.users';
    const problems: FieldProblem[] = [];
    for (const id of Array.isArray(users) ? users : []) {
      if (typeof id !== 'string' || (await this.#hasId(id))) continue;
      const { message, ...facts } = await this.#describeUnknown(id);
      problems.push({ field, ...facts, message: `${field}: ${message}` });
    }
    return problems;
  }

  async refuseUnknown(event: JsonObject): Promise<void> {
    refuse(await this.problemsWith(event), skipChecksHint);
  }

  async #hasId(id: string): Promise<boolean> {
    return this.#context.userName(id) !== undefined || (await this.#list()).has(id);
  }

  /** `unknown user "gretta" (did you mean Greta Vogel, u-greta?)` */
  async #describeUnknown(given: string) {
    this.#suggestions += 1;
    const people = this.#suggestions > maxSuggestions ? [] : (await this.#list()).values();
    const byText = new Map<string, Person>();
    for (const person of people) {
      const { id, name, emails } = person;
      const texts = [id, name, ...emails, ...name.split(' ')].filter((text) => text !== '');
      for (const text of texts) byText.set(folded(text), person);
    }
    const meant = byText.get(nearest(folded(given), [...byText.keys()]) ?? '');
    const suggestion = meant ? ` (did you mean ${nameAndId(meant)}?)` : '';
    const message = `unknown user "${given}"${suggestion}`;
    return { value: given, suggestion: meant?.id, message };
  }

  #list(): Promise<ReadonlyMap<string, Person>> {
    this.#all ??= this.#read();
    return this.#all;
  }

  async #read(): Promise<ReadonlyMap<string, Person>> {
    const people = new Map<string, Person>();
    const { signal } = this.#context.world;
    try {
      for await (const person of listedUsers(this.#context, signal, 'all')) {
        people.set(person.id, person);
      }
    } catch (error) {
      if (!(error instanceof MarError)) throw error;
      const { message, details } = error;
      if (details.status !== 403 && details.status !== 404) throw error;
      throw usageError(
        `cannot check the users: the service does not list them (${message})`,
        nothingSentHint,
      );
    }
    return people;
  }
}

const nameAndId = ({ name, id }: Person) => (name === '' ? id : `${name}, ${id}`);

/** The user with this e-mail or this whole name, or else all whose names have these words. */
function matching(given: string, people: readonly Person[]): readonly Person[] {
  const wanted = folded(given);
  const rank = textMatcher(given);
  const isExact = ({ name, emails }: Person) =>
    rank(name) === 'exact' || emails.some((email) => folded(email) === wanted);
  const exact = people.filter(isExact);
  return exact.length > 0 ? exact : people.filter(({ name }) => rank(name) !== undefined);
}

function table(people: readonly Person[]): string[] {
  const rows = people
    .slice(0, maxListed)
    .map(({ id, name, emails }) => [id, name, emails[0] ?? '']);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const more = people.length - lines.length;
  return more > 0 ? [...lines, `${more} more`] : lines;
}
