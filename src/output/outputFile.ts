import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from '../commands/command.ts';
import { MarError, usageError } from '../errors.ts';
import { openOutputFile } from '../files/outputFile.ts';
import { systemReason } from '../files/systemReason.ts';
import type { Input } from '../input.ts';
import type { Context } from '../session/context.ts';
import { fileEndings, formats } from '../values/formats.ts';
import { plural } from '../values/numbers.ts';

/** True for a file with content to lose, unlike a device or a pipe. */
export const isProtected = async ({ flags }: Context, file: string): Promise<boolean> =>
  !flags.overwrite && (await stat(file).catch(() => undefined))?.isFile() === true;

/**
 * Runs a command whose standard output is a file. The file appears when the result is complete. A
 * command that fails after its result, such as a check with findings, leaves the file too.
 */
export async function writingToFile(
  context: Context,
  { command, input, file }: { command: Command; input: Input; file: string },
  run: () => Promise<void>,
): Promise<void> {
  const { flags, streams, world } = context;
  if (command.isEndless?.(input)) {
    throw usageError('-O cannot be used with a command that runs until you stop it');
  }
  if (!flags.format && !flags.jq && !command.printsText) throw unknownEnding(file);
  if (await isProtected(context, file)) await confirmOverwrite(context, [file]);
  const opened = await openOutputFile(file).catch((error) => {
    throw cannotWrite(file, error);
  });
  const { stdout } = streams;
  const { fd } = opened.handle;
  stdout.writeTo(file, createWriteStream('', { fd, autoClose: false }));
  const failure = await run().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const isCut = failure && (!stdout.hasWritten || stdout.isCutOff);
  if (isCut || world.signal.aborted) await opened.discard();
  else {
    await opened.keep().catch(async (error) => {
      await opened.discard();
      throw cannotWrite(file, error);
    });
    reportWritten(context, file);
  }
  if (failure) throw failure.error;
}

function reportWritten(context: Context, file: string): void {
  const { records } = context.streams.stdout;
  context.reportOnce(
    records === undefined ? `Wrote ${file}` : `Wrote ${plural(records, 'record')} to ${file}`,
  );
}

export const cannotWrite = (file: string, cause: unknown) =>
  new MarError('usage', `cannot write ${file}: ${systemReason(cause)}`, { cause });

function unknownEnding(file: string): MarError {
  const isFormat = formats.some((format) => format === file);
  return usageError(
    `-O ${file}: the name does not end in a known format`,
    isFormat
      ? `-O takes a file name. To choose the format of the output, use -o ${file}`
      : `End the name in ${fileEndings.join(', ')}, or choose the format with -o.`,
  );
}

/** Asks before these files are replaced. Without a terminal, this needs --overwrite. */
export async function confirmOverwrite(
  context: Context,
  [first = '', ...others]: readonly string[],
): Promise<void> {
  const isOne = others.length === 0;
  const problem = isOne
    ? `${first} exists already`
    : `${first} and ${plural(others.length, 'more file')} exist already`;
  const them = isOne ? 'it' : 'them';
  if (!context.isInteractive) throw usageError(problem, `Use --overwrite to replace ${them}.`);
  await context.confirm(`${problem}. Replace ${them}?`, 'Nothing was replaced.');
}
