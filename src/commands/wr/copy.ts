import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { copyOf, isObject, isSame, type Json, type JsonObject, toPlain } from '../../json/value.ts';
import { oldLanguageFields, type RequestCopy } from '../../records/copyRequest.ts';
import { formatDate } from '../../values/time.ts';
import type { RowTemplate } from '../batch/rules.ts';
import type { Input } from '../command.ts';
import { fieldLines } from '../write/diff.ts';
import { confirm, needsConfirmation } from '../write/write.ts';

/** The template of a batch: its fields are under those of each row, with the checks of a single copy. */
export function copyTemplate(context: Context, input: Input, copy: RequestCopy): RowTemplate {
  const { id, record: copied, dropped } = copy;
  context.reportOnce(`Copied from ${id}, unless a row has its own: ${list([...copied.keys()])}`);
  context.reportOnce(`Not copied: ${list(dropped)}`);
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
        context.warn('other-language', message, old.map(fieldFacts));
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
  context.reportOnce(`Copied from ${id}: ${list(kept)}`);
  if (changed.length > 0) context.reportOnce(`Set by you: ${list(changed)}`);
  const removed = [...copied.keys()].filter((name) => !made.has(name));
  context.reportOnce(`Not copied: ${list([...dropped, ...removed])}`);
  const old = oldLanguageFields(copied, made);
  if (old.length > 0) {
    const lines = [
      `${oldLanguageWarning(copy)}:`,
      ...fieldLines(old, (text) => context.world.redactor.clean(text)),
      'For other values, use --territory, --set FIELD=VALUE or --unset FIELD.',
    ];
    context.warn('other-language', lines.join('\n'), old.map(fieldFacts));
  }
  warnOfEarlyDeadline(context, copy, made);
  if (input.options.skipChecks) return;
  if (isSame(made, copied)) {
    throw usageError(
      exactCopyMessage(copy),
      'Nothing was sent. Change a field, for example with --language, or use --skip-checks.',
    );
  }
  if (old.length > 0 && needsConfirmation(context, input)) await confirm(context);
}

/** A new due date makes the copied deadline of the delivery senseless. */
function warnOfEarlyDeadline(context: Context, { id, record }: RequestCopy, made: JsonObject) {
  const deadline = dateOf(made, 'deliveryDeadline');
  const [due, delivery] = [dateOf(made), deadline].map(context.clock.date);
  if (!due || !delivery || delivery >= due) return;
  if (!isSame(deadline, dateOf(record, 'deliveryDeadline'))) return;
  context.warn(
    'early-deadline',
    `the delivery deadline copied from ${id}, ${formatDate(delivery)}, is before the due date; to leave it out, use --unset deliveryDeadline`,
    [fieldFacts(['deliveryDeadline.date', deadline ?? null])],
  );
}

const fieldFacts = ([path, value]: readonly [string, Json]) => ({ path, value: toPlain(value) });

function oldLanguageWarning({ id, record }: RequestCopy): string {
  const language = JSON.stringify(record.get('language') ?? null).replaceAll('"', '');
  return `the language changes, but these fields are still those of ${id} (${language})`;
}

const exactCopyMessage = ({ id }: RequestCopy) =>
  `this would be an exact copy of work request ${id}`;

function dateOf(record: JsonObject, field = 'due') {
  const deadline = record.get(field);
  return isObject(deadline) ? deadline.get('date') : undefined;
}

const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
