import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type FlagFacts, forPerson, MarError, systemCode, usageError } from '../errors.ts';
import { isOpenInShell, openOutputFile, writeOutputFile } from '../files/openOutput.ts';
import type { FileContent } from '../files/replaceFile.ts';
import { systemReason } from '../files/systemReason.ts';
import { settle } from '../values/concurrency.ts';
import { type Format, fileEndings } from '../values/formats.ts';
import { plural } from '../values/numbers.ts';
import type { Reporter } from './reporter.ts';
import type { TerminalWorld } from './streams.ts';

/** Says whether a file may be replaced, and whom to ask. */
export interface Overwriting {
  flags: { overwrite?: boolean };
  reporter: Reporter;
}

/** True for a file with content to lose, unlike a device or a pipe. */
const isProtected = async ({ flags }: Overwriting, file: string): Promise<boolean> =>
  !flags.overwrite &&
  !isOpenInShell(file) &&
  (await stat(file).catch(() => undefined))?.isFile() === true;

interface FileOutput extends Overwriting {
  flags: Overwriting['flags'] & { format?: Format; jq?: object };
  world: Pick<TerminalWorld, 'streams' | 'signal'>;
}

/**
 * Runs a command whose standard output is a file. The file appears when the result is complete. A
 * command that fails after its result, such as a check with findings, leaves the file too.
 */
export async function writingToFile(
  context: FileOutput,
  { file, isEndless, printsText }: { file: string; isEndless?: boolean; printsText?: boolean },
  run: () => Promise<void>,
): Promise<void> {
  const { flags, world, reporter } = context;
  const { streams } = world;
  if (isEndless) {
    const message = '-O cannot be used with a command that runs until you stop it';
    throw usageError(message, { flag: '-O' });
  }
  if (!flags.format && !flags.jq && !printsText) throw unknownEnding(file);
  await confirmTargets(context, [file]);
  const opened = await openOutputFile(file).catch((error) => {
    throw cannotWrite(file, error);
  });
  const { stdout } = streams;
  const { fd } = opened.handle;
  stdout.writeTo(file, createWriteStream('', { fd, autoClose: false }));
  const { error: failure } = await settle(run());
  const isCut = failure && (!stdout.hasWritten || stdout.isCutOff);
  if (isCut || world.signal.aborted) await opened.discard();
  else {
    await opened.keep().catch(async (error) => {
      await opened.discard();
      throw cannotWrite(file, error, outputFacts(file), 'local');
    });
    const { records } = stdout;
    reporter.reportOnce(
      records === undefined ? `Wrote ${file}` : `Wrote ${plural(records, 'record')} to ${file}`,
    );
  }
  if (failure) throw failure;
}

export async function writeNamedFile(file: string, content: FileContent, facts?: FlagFacts) {
  try {
    await writeOutputFile(file, content);
  } catch (error) {
    throw cannotWrite(file, error, facts);
  }
}

/** A name that cannot be written is a mistake of the user, a full disk is not. */
const kindOf = (cause: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(systemCode(cause) ?? '') ? 'local' : 'usage';

export const cannotWrite = (
  file: string,
  cause: unknown,
  facts: FlagFacts = outputFacts(file),
  kind: 'local' | 'usage' = kindOf(cause),
) => new MarError(kind, `cannot write ${file}: ${systemReason(cause)}`, { cause, ...facts });

const outputFacts = (file: string): FlagFacts => ({ flag: '-O', value: file });

const unknownEnding = (file: string) =>
  usageError(
    `-O ${file}: the name does not end in a known format`,
    `End the name in ${fileEndings.join(', ')}, or choose the format with -o.`,
    outputFacts(file),
  );

/** Asks before files with content are replaced. Without a terminal, this needs --overwrite. */
export async function confirmTargets(context: Overwriting, files: readonly string[]) {
  const { reporter } = context;
  const existing: string[] = [];
  for (const file of files) if (await isProtected(context, file)) existing.push(file);
  const [first, ...others] = existing;
  if (first === undefined) return;
  const isOne = others.length === 0;
  const problem = isOne
    ? `${first} exists already`
    : `${first} and ${plural(others.length, 'more file')} exist already`;
  const them = isOne ? 'it' : 'them';
  if (!reporter.isInteractive) {
    throw usageError(problem, forPerson(`Use --overwrite to replace ${them}.`), outputFacts(first));
  }
  await reporter.confirm(`${problem}. Replace ${them}?`, 'Nothing was replaced.');
}
