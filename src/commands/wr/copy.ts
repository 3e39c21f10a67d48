import { endpoints } from '../../api/endpoints.ts';
import type { RowTemplate } from '../../batch/index.ts';
import { usageError } from '../../errors.ts';
import type { Input } from '../../input.ts';
import { valueAt } from '../../json/fields.ts';
import { copyOf, isObject, isSame, type Json, type JsonObject, toPlain } from '../../json/value.ts';
import { pastDate } from '../../records/lateness.ts';
import { idOf, referenceTo } from '../../records/references.ts';
import { workRequestState } from '../../records/template.ts';
import type { Context } from '../../session/context.ts';
import { formatDate } from '../../values/time.ts';
import { confirm, fieldLines, needsConfirmation, readVersion } from '../../writes/index.ts';

type RequestCopy = Awaited<ReturnType<typeof copyRequest>>;

/** A new work request with the wishes of the one with this id, and none of its progress. */
export async function copyRequest(context: Context, id: string) {
  const { record: original } = await readVersion(context, endpoints.workRequestGet, id);
  const isKept = ([name, value]: [string, Json]) => {
    if (name.startsWith('$') || workRequestState.includes(name)) return false;
    // Nobody can deliver in the past. A past due date needs a decision instead.
    return name !== 'deliveryDeadline' || !pastDate(value, context.session.clock);
  };
  const kept = [...original].filter(isKept);
  const record = new Map(kept.map(([name, value]) => [name, initialValue(name, value)]));
  return { id, record, dropped: [...original.keys()].filter((name) => !record.has(name)) };
}

/** Embedded records of which a new work request needs only the id. */
const references = ['project', 'asset'];

function initialValue(name: string, value: Json): Json {
  const id = references.includes(name) ? idOf(value) : undefined;
  if (id !== undefined) return referenceTo(id);
  if (name !== 'materials' || !Array.isArray(value)) return value;
  return value.map((material) => (isObject(material) ? missingMaterial(material) : material));
}

function missingMaterial(material: JsonObject): JsonObject {
  const copy = new Map(material);
  for (const name of ['complete', 'approved']) if (copy.has(name)) copy.set(name, false);
  return copy.has('files') ? copy.set('files', []) : copy;
}

const jsonAt = (record: JsonObject, path: string) => valueAt(record, path) as Json | undefined;

/** Fields that often depend on the language. */
const localFields = [
  'territory',
  'due.tz',
  'deliveryDeadline.tz',
  'tags',
  'recipients',
  'instructions',
];

/** The fields that a copy in another language still has from the old language, with their values. */
function oldLanguageFields(before: JsonObject, after: JsonObject): [string, Json][] {
  if (isSame(before.get('language'), after.get('language'))) return [];
  return localFields.flatMap((path): [string, Json][] => {
    const kept = keptPart(jsonAt(before, path), jsonAt(after, path));
    return kept === undefined || isEmpty(kept) ? [] : [[path, kept]];
  });
}

/** The value if it is unchanged. Of a list, such as the tags, the elements that are still there. */
function keptPart(before: Json | undefined, after: Json | undefined): Json | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return isSame(before, after) ? before : undefined;
  }
  return before.filter((one) => after.some((other) => isSame(one, other)));
}

function isEmpty(json: Json): boolean {
  if (Array.isArray(json)) return json.length === 0;
  if (isObject(json)) return [...json.values()].every(isEmpty);
  return json === null || json === '';
}

/** The template of a batch: its fields are under those of each row, with the checks of a single copy. */
export function copyTemplate(context: Context, input: Input, copy: RequestCopy): RowTemplate {
  const { id, record: copied, dropped } = copy;
  context.reporter.reportOnce(
    `Copied from ${id}, unless a row has its own: ${list([...copied.keys()])}`,
  );
  context.reporter.reportOnce(`Not copied: ${list(dropped)}`);
  const template: RowTemplate = {
    change: `--like ${id}`,
    apply(record) {
      const own = new Map(record);
      record.clear();
      for (const [name, value] of layered(copied, own)) record.set(name, value);
      removeUnusedDetails(record);
    },
    check(made) {
      const old = oldLanguageFields(copied, made);
      if (old.length > 0) {
        const message = `${oldLanguageWarning(copy)}: ${list(old.map(([name]) => name))}`;
        template.question = `warning: ${message}`;
        context.reporter.warn('other-language', message, old.map(fieldFacts));
      }
      const isRefused = !input.options.skipChecks && isSame(made, copied);
      return isRefused ? [{ message: exactCopyMessage(copy) }] : [];
    },
  };
  return template;
}

function layered(under: JsonObject, over: JsonObject): JsonObject {
  const result = copyOf(under) as JsonObject;
  for (const [name, value] of over) {
    const below = result.get(name);
    const isBoth = isObject(below) && isObject(value);
    result.set(name, isBoth ? layered(below, value) : value);
  }
  return result;
}

/** A copied request or a file may have details of uses that were left out. */
export function removeUnusedDetails(record: JsonObject): void {
  const uses = record.get('uses');
  const details = isObject(uses) ? uses.get('details') : undefined;
  const items = isObject(uses) ? uses.get('items') : undefined;
  if (!isObject(uses) || !isObject(details) || !Array.isArray(items)) return;
  const used = [...details].filter(([item]) => items.includes(item));
  record.set('uses', new Map(uses).set('details', new Map(used)));
}

/** Prints what was copied, and refuses or asks about what was probably meant to change. */
export async function checkCopy(
  context: Context,
  input: Input,
  copy: RequestCopy,
  made: JsonObject,
): Promise<void> {
  const { id, record: copied, dropped } = copy;
  const changed = [...made.keys()].filter((name) => !isSame(made.get(name), copied.get(name)));
  const kept = [...copied.keys()].filter((name) => !changed.includes(name) && made.has(name));
  context.reporter.reportOnce(`Copied from ${id}: ${list(kept)}`);
  if (changed.length > 0) context.reporter.reportOnce(`Set by you: ${list(changed)}`);
  const removed = [...copied.keys()].filter((name) => !made.has(name));
  context.reporter.reportOnce(`Not copied: ${list([...dropped, ...removed])}`);
  const old = oldLanguageFields(copied, made);
  if (old.length > 0) {
    const lines = [
      `${oldLanguageWarning(copy)}:`,
      ...fieldLines(old, (text) => context.world.redactor.clean(text)),
      'For other values, use --territory, --set FIELD=VALUE or --unset FIELD.',
    ];
    context.reporter.warn('other-language', lines.join('\n'), old.map(fieldFacts));
  }
  warnOfEarlyDeadline(context, copy, made);
  if (input.options.skipChecks) return;
  if (isSame(made, copied)) {
    throw usageError(
      exactCopyMessage(copy),
      'Nothing was sent. Change a field, for example with --language, or use --skip-checks.',
      { flag: '--like', value: copy.id },
    );
  }
  if (old.length > 0 && needsConfirmation(context, input)) await confirm(context);
}

/** A new due date makes the copied deadline of the delivery senseless. */
function warnOfEarlyDeadline(context: Context, { id, record }: RequestCopy, made: JsonObject) {
  const path = 'deliveryDeadline.date';
  const deadline = jsonAt(made, path);
  const [due, delivery] = [jsonAt(made, 'due.date'), deadline].map(context.session.clock.date);
  if (!due || !delivery || delivery >= due || !isSame(deadline, jsonAt(record, path))) return;
  context.reporter.warn(
    'early-deadline',
    `the delivery deadline copied from ${id}, ${formatDate(delivery)}, is before the due date; to leave it out, use --unset deliveryDeadline`,
    [fieldFacts([path, deadline ?? null])],
  );
}

const fieldFacts = ([path, value]: readonly [string, Json]) => ({ path, value: toPlain(value) });

function oldLanguageWarning({ id, record }: RequestCopy): string {
  const language = JSON.stringify(record.get('language') ?? null).replaceAll('"', '');
  return `the language changes, but these fields are still those of ${id} (${language})`;
}

const exactCopyMessage = ({ id }: RequestCopy) =>
  `this would be an exact copy of work request ${id}`;

const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
