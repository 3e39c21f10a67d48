import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { isObject, isSame, type JsonObject } from '../../json/value.ts';
import { isPast, oldLanguageFields, type RequestCopy } from '../../records/copyRequest.ts';
import { formatDate, readTime } from '../../terminal/time.ts';
import type { Input } from '../command.ts';
import { fieldLines } from '../write/diff.ts';
import { confirm, needsConfirmation } from '../write/write.ts';

/** Prints what was copied, and refuses or asks about what was probably meant to change. */
export async function checkCopy(
  context: Context,
  input: Input,
  { id, record: copied, dropped }: RequestCopy,
  made: JsonObject,
): Promise<void> {
  const changed = [...made.keys()].filter((name) => !isSame(made.get(name), copied.get(name)));
  const kept = [...copied.keys()].filter((name) => !changed.includes(name) && made.has(name));
  context.reportOnce(`Copied from ${id}: ${list(kept)}`);
  if (changed.length > 0) context.reportOnce(`Set by you: ${list(changed)}`);
  context.reportOnce(`Not copied: ${list(dropped)}`);
  const old = oldLanguageFields(copied, made);
  if (old.length > 0) {
    const language = JSON.stringify(copied.get('language') ?? null).replaceAll('"', '');
    context.reportOnce(
      [
        `warning: the language changes, but these fields are still those of ${id} (${language}):`,
        ...fieldLines(old, (text) => context.world.redactor.clean(text)),
        'To change one, add its flag (such as --territory), --set FIELD=VALUE or --unset FIELD.',
      ].join('\n'),
    );
  }
  if (input.options.force) return;
  if (isSame(made, copied)) {
    throw usageError(
      `this would be an exact copy of work request ${id}`,
      'Nothing was sent. Change a field, for example with --language, or use --force.',
    );
  }
  const timeUnit = context.settings.timeUnit ?? 'auto';
  const date = dateOf(made);
  if (isSame(date, dateOf(copied)) && isPast(made.get('due'), context.world.now(), timeUnit)) {
    const shown = formatDate(readTime(date, timeUnit) ?? new Date(0));
    throw usageError(
      `the due date of work request ${id} is in the past: ${shown}`,
      'Nothing was sent. Set a new one, for example with --due +14d, or use --force to keep it.',
    );
  }
  if (old.length > 0 && needsConfirmation(context, input)) await confirm(context);
}

function dateOf(record: JsonObject) {
  const due = record.get('due');
  return isObject(due) ? due.get('date') : undefined;
}

const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
