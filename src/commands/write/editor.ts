import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { makeFolder } from '../../files/makeFolder.ts';
import { readRegularFile } from '../../files/regularFile.ts';
import { replaceFileSync } from '../../files/replaceFile.ts';
import { namesSecret } from '../../json/secrets.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { parseDocumentText } from '../../records/document.ts';
import {
  afterLines,
  blankComments,
  commentLines,
  type EditableForm,
  editableText,
  formFor,
  isBlank,
} from '../../records/editableText.ts';

/** A program in the editor's place may never get it right. */
const mostRounds = 20;

/** What is to be edited, and how it is called. */
export interface Draft {
  /** Part of the file's name: `asset-a-1001`. */
  name: string;
  record: JsonObject;
  /** In place of the record's own text: a template. */
  text?: string;
  /** What stands on top of it, a line each. */
  header: readonly string[];
  /** Refuses what cannot be sent; the text then comes back to the editor. */
  check(record: JsonObject): Promise<void>;
}

/** What a person made of it. The file stays until `done` says that it is no longer needed. */
export interface Edited {
  record: JsonObject;
  file: string;
  done(): void;
}

/**
 * Opens the editor on a draft, again and again until what it leaves can be sent. Undefined when it
 * is left as it was, or emptied. What was typed is in a file at every moment, and stays there on any
 * failure; `kept` says where.
 */
export async function editInEditor(context: Context, draft: Draft): Promise<Edited | undefined> {
  const wanted = context.flags.format === 'json' || context.flags.format === 'jsonl';
  const { interruptible } = context.world;
  const { form, own } = interruptible(() => editable(draft, wanted ? 'json' : 'yaml'));
  // JSON has no remarks: a header would have to be taken away again.
  let remarks = form === 'json' ? [] : commentLines([...draft.header, ''], form);
  let given = [...remarks, own].join('\n');
  for (const earlier of draftsOf(context, draft.name)) {
    context.note(`note: an earlier edit was not written; its text is in ${earlier}`);
  }
  const file = newDraftFile(context, draft.name, form);
  saveDraft(file, given);
  const done = () => removeDraft(file);
  let problem: MarError | undefined;
  for (let round = 1; ; round += 1) {
    await openEditor(context, file, given);
    const text = readDraft(file);
    if (problem && (text === given || round > mostRounds)) throw kept(context, problem, file);
    if (text === given || isBlank(text, form)) {
      done();
      return undefined;
    }
    try {
      const record = await parse(text, file, form);
      await draft.check(record);
      if (form === 'json') saveDraft(file, blankComments(text, form).trimStart());
      return { record, file, done };
    } catch (error) {
      if (!(error instanceof MarError) || error.kind !== 'usage') throw error;
      const rest = afterLines(text, remarks);
      ({ problem, remarks, given } = await remarked(error, rest, { draft, file, form }));
      saveDraft(file, given);
    }
  }
}

function editable({ text, record }: Draft, wanted: EditableForm) {
  const form = text === undefined ? formFor(record, wanted) : 'yaml';
  return { form, own: text ?? editableText(record, form) };
}

/** What is being edited, where, and as what. */
interface Editing {
  draft: Draft;
  file: string;
  form: EditableForm;
}

interface Remarked {
  problem: MarError;
  remarks: string[];
  given: string;
}

/** The text with what is wrong with it on top, which moves its lines: they are counted anew. */
async function remarked(error: MarError, rest: string, editing: Editing): Promise<Remarked> {
  const { file, form } = editing;
  const under = (problem: MarError): Remarked => {
    const remarks = commentLines(remarksOn(problem, editing), form);
    return { problem, remarks, given: [...remarks, rest].join('\n') };
  };
  const first = under(error);
  const moved: unknown = await parse(first.given, file, form).catch((again: unknown) => again);
  return moved instanceof MarError ? under(moved) : first;
}

/** Says where the text is: with the failure, or beside one that is not told in words. */
export function kept(context: Context, error: unknown, file: string): unknown {
  const where = `your text is kept in ${file}`;
  const isSilent = error instanceof MarError && /^(?:interrupted|terminated)$/.test(error.kind);
  if (!(error instanceof MarError) || isSilent || context.world.signal.aborted) {
    context.note(where);
    return error;
  }
  const { hint, ...details } = error.details;
  return new MarError(error.kind, error.message, {
    ...details,
    hint: hint ? `${hint}\n${where}` : where,
    cause: error,
  });
}

function remarksOn(error: MarError, { draft: { header }, file, form }: Editing): string[] {
  const message = error.message.replace(`${file}: `, '');
  const { hint } = error.details;
  return [
    `error: ${message}`,
    ...(hint ? [`  ${hint}`] : []),
    ...(form === 'yaml' ? [...header, ''] : []),
  ];
}

async function parse(text: string, file: string, form: EditableForm): Promise<JsonObject> {
  const record = await parseDocumentText(blankComments(text, form), file);
  if (isObject(record)) return record;
  throw usageError('expected one record, an object with fields');
}

/** Waits until the editor is closed. One that fails leaves the text where it is. */
async function openEditor(context: Context, file: string, given: string): Promise<void> {
  const { world } = context;
  const { env, platform } = world;
  const editor = env.VISUAL || env.EDITOR || (platform === 'win32' ? 'notepad' : 'vi');
  const code = await world.ignoringInterrupts(() => run(editor, file, world));
  if (world.signal.aborted) throw kept(context, world.signal.reason, file);
  if (code === 0) return;
  const hint =
    code === 127 ? 'there is no such program: set VISUAL or EDITOR to your editor' : undefined;
  const error = usageError(`the editor (${editor}) failed with ${code}; nothing was written`, hint);
  if (readDraft(file) !== given) throw kept(context, error, file);
  removeDraft(file);
  throw error;
}

/** Without the variables that hold a token; the others are kept for a `mar` started in the editor. */
const withoutSecrets = (env: Environment) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isSecretVariable(name)));

const isSecretVariable = (name: string) => /^MAR_/i.test(name) && namesSecret(name);

/** A program and its arguments, with nothing for the shell to do but find them. */
const plainCommand = /^[\w./~][\w./~ +,@=-]*$/;

/**
 * By a shell, since an editor may have arguments: `code --wait`. Where it can, the shell makes way
 * for the editor, which then hears itself that it is to end, and saves what it can. Where it
 * cannot, it has to outlive a Ctrl-C that is meant for the editor.
 */
async function run(
  editor: string,
  file: string,
  { env: all, platform, signal }: Context['world'],
): Promise<number | string> {
  const env = withoutSecrets(all);
  const isPlain = plainCommand.test(editor) && !/^\S*=/.test(editor);
  const child =
    platform === 'win32'
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', env })
      : spawn(
          '/bin/sh',
          ['-c', `trap : INT; ${isPlain ? 'exec ' : ''}${editor} "$@"`, editor, file],
          {
            stdio: 'inherit',
            env,
          },
        );
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, killedBy) => resolve(code ?? killedBy ?? 1));
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/*
 * Texts that a person is working on. They are in files from the first moment to the last, so that
 * nothing that ends this program takes them along.
 */

/** In a folder that only its owner may read: a record is nobody else's business. */
function newDraftFile({ folders, world }: Context, name: string, form: string): string {
  const folder = draftFolder(folders.state);
  try {
    makeFolder(folder);
  } catch (error) {
    throw usageError(
      `cannot use the folder ${folder}: ${(error as Error).message}`,
      'set MAR_STATE_DIR to a folder of your own',
    );
  }
  const time = world
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+Z/g, '');
  return path.join(folder, `${safeName(name)}-${time}-${randomUUID().slice(0, 8)}.${form}`);
}

const draftFolder = (state: string) => path.join(state, 'drafts');
const safeName = (name: string) => name.replace(/[^\w.-]/g, '_').slice(0, 100);

/** Texts that earlier edits of the same record left behind. */
function draftsOf({ folders }: Context, name: string): string[] {
  const folder = draftFolder(folders.state);
  try {
    const begin = `${safeName(name)}-`;
    const names = readdirSync(folder).filter(
      // And nothing that an editor left beside one, such as a backup.
      (file) =>
        file.startsWith(begin) && /^\d{8}T\d{6}-[\da-f]{8}\.\w+$/.test(file.slice(begin.length)),
    );
    return names.map((file) => path.join(folder, file));
  } catch {
    return [];
  }
}

function readDraft(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readRegularFile(file));
  } catch (error) {
    throw usageError(
      `cannot read what the editor left in ${file}: ${(error as Error).message}`,
      'nothing was written',
    );
  }
}

const saveDraft = (file: string, text: string): void => replaceFileSync(file, text, { sync: true });

const removeDraft = (file: string): void => rmSync(file, { force: true });
