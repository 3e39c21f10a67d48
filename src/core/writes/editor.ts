import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { MarError, usageError } from '../errors.ts';
import { makeFolder } from '../files/makeFolder.ts';
import { readRegularFile } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { readReason, systemReason } from '../files/systemReason.ts';
import { decodeUtf8 } from '../json/parse.ts';
import { isObject, isSame, type JsonObject } from '../json/value.ts';
import type { Results } from '../output/result.ts';
import { expectedRecord, parseDocumentText } from '../records/document.ts';
import { afterLines, commentLines, editableText, isBlank } from '../records/editableText.ts';
import type { Context } from '../session/context.ts';
import { withoutTokens } from '../values/environment.ts';
import { hintLine } from '../values/hintLines.ts';

interface Draft {
  /** Part of the file's name: `asset-a-1001`. */
  name: string;
  record: JsonObject;
  text?: string;
  header: readonly string[];
  /** Sent even if its values are those of `record`. */
  isNew?: true;
  isDryRun: boolean;
  /** After a usage error, the editor opens again. */
  check(record: JsonObject): Promise<void>;
}

/**
 * Opens the editor on a draft until the result can be written, and writes it. The text stays in a file
 * after a failure and after a dry run.
 */
export async function* editInEditor(
  context: Context,
  draft: Draft,
  write: (record: JsonObject) => Results,
): Results {
  const { file, record } = await editedRecord(context, draft);
  try {
    if (record) yield* write(record);
    else context.reporter.reportOnce('No changes. Nothing was written.');
  } catch (error) {
    throw withKeptDraft(context, error, file);
  }
  if (record && draft.isDryRun) context.reporter.reportOnce(keptDraftNote(file));
  else removeDraft(file);
}

/** There is no record if nothing was changed, or the text is empty. */
async function editedRecord(
  context: Context,
  draft: Draft,
): Promise<{ file: string; record?: JsonObject }> {
  const own = draft.text ?? context.world.interruptible(() => editableText(draft.record));
  let remarks = commentLines([...draft.header, '']);
  let given = [...remarks, own].join('\n');
  const file = newDraftFile(context, draft.name);
  await saveDraft(file, given);
  let problem: MarError | undefined;
  for (;;) {
    // From the second time on, the text is the user's.
    await openEditor(context, file, problem ? undefined : given);
    const text = readDraft(file);
    if (problem && text === given) throw withKeptDraft(context, problem, file);
    if (text === given || isBlank(text)) return { file };
    try {
      const record = await parse(text, file);
      await draft.check(record);
      if (!draft.isNew && isSame(record, draft.record)) return { file };
      return { record, file };
    } catch (error) {
      if (!(error instanceof MarError) || error.kind !== 'usage') throw error;
      const rest = afterLines(text, remarks);
      const under = (reason: MarError) => {
        const comments = [
          `error: ${reason.message.replace(`${file}: `, '')}`,
          ...reason.hints.map((hint) => `  ${hintLine(hint, context.reporter.profile)}`),
          ...draft.header,
          '',
        ];
        const lines = commentLines(comments);
        return { problem: reason, remarks: lines, given: [...lines, rest].join('\n') };
      };
      ({ problem, remarks, given } = under(error));
      // The remarks move the lines of the text, so it is parsed again to count them.
      const moved: unknown = await parse(given, file).catch((again: unknown) => again);
      if (moved instanceof MarError) ({ problem, remarks, given } = under(moved));
      await saveDraft(file, given);
    }
  }
}

/** Adds the path of the draft to an error, or prints it if the error prints nothing. */
function withKeptDraft(context: Context, error: unknown, file: string): unknown {
  const where = keptDraftNote(file);
  const isSilent = error instanceof MarError && /^(?:interrupted|terminated)$/.test(error.kind);
  if (!(error instanceof MarError) || isSilent || context.world.signal.aborted) {
    context.reporter.reportOnce(where, 'essential');
    return error;
  }
  return error.withHint(where);
}

const keptDraftNote = (file: string) => `Your text is kept in ${file}`;

async function parse(text: string, file: string): Promise<JsonObject> {
  const record = await parseDocumentText(text, file);
  if (isObject(record)) return record;
  throw usageError(expectedRecord);
}

async function openEditor(context: Context, file: string, given?: string): Promise<void> {
  const { world } = context;
  const { env, platform } = world;
  const editor = env.VISUAL || env.EDITOR || (platform === 'win32' ? 'notepad' : 'vi');
  const code = await world.ignoringInterrupts(() => run(editor, file, world));
  if (world.signal.aborted) throw withKeptDraft(context, world.signal.reason, file);
  if (code === 0) return;
  const error = usageError(
    code === 127 ? `editor not found: ${editor}` : `the editor (${editor}) failed with ${code}`,
    code === 127
      ? 'Nothing was written. Set VISUAL or EDITOR to your editor.'
      : 'Nothing was written.',
  );
  if (readDraft(file) !== given) throw withKeptDraft(context, error, file);
  removeDraft(file);
  throw error;
}

const plainCommand = /^[\w./~][\w./~ +,@=-]*$/;

/**
 * Runs the editor in a shell, because it may have arguments: `code --wait`. `exec` lets the editor
 * receive signals itself, and save its text. Without `exec`, the shell must survive a Ctrl-C that is
 * meant for the editor.
 */
async function run(
  editor: string,
  file: string,
  { env: all, platform, signal }: Context['world'],
): Promise<number | string> {
  // A `mar` that is started in the editor needs the other variables.
  const env = withoutTokens(all);
  const isPlain = plainCommand.test(editor) && !/^\S*=/.test(editor);
  const script = `trap : INT; ${isPlain ? 'exec ' : ''}${editor} "$@"`;
  const child =
    platform === 'win32'
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', env })
      : spawn('/bin/sh', ['-c', script, editor, file], { stdio: 'inherit', env });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  const [code, killedBy] = await once(child, 'exit').finally(() =>
    signal.removeEventListener('abort', end),
  );
  return code ?? killedBy ?? 1;
}

/** In a folder that only its owner may read. */
function newDraftFile({ session: { folders }, world }: Context, name: string): string {
  const folder = path.join(folders.state, 'drafts');
  try {
    makeFolder(folder);
  } catch (error) {
    throw usageError(
      `cannot use the folder ${folder}: ${systemReason(error)}`,
      'Set MAR_STATE_DIR to a folder that you own.',
    );
  }
  const now = world.now().toISOString();
  const time = now.replace(/[-:]|\.\d+Z/g, '');
  const safeName = name.replace(/[^\w.-]/g, '_').slice(0, 100);
  return path.join(folder, `${safeName}-${time}-${randomUUID().slice(0, 8)}.yaml`);
}

function readDraft(file: string): string {
  try {
    return decodeUtf8(readRegularFile(file));
  } catch (error) {
    throw usageError(
      `cannot read the edited file ${file}: ${readReason(error)}`,
      'Nothing was sent to the service.',
    );
  }
}

const saveDraft = (file: string, text: string) => replaceFile(file, text, { sync: true });

const removeDraft = (file: string): void => rmSync(file, { force: true });
