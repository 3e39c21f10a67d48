import { type Hint, usageError } from '../errors.ts';
import { settle } from '../values/concurrency.ts';
import type { Format } from '../values/formats.ts';
import type { JqFilter, JqRequest } from './jq.ts';
import { makePrinter, type Printer, type PrinterOptions } from './printer.ts';
import { cardTools } from './recordText.ts';
import type { Reporter } from './reporter.ts';
import type {
  Canvas,
  RecordOptions,
  Result,
  ResultOptions,
  Results,
  TextResult,
} from './result.ts';
import type { TerminalWorld } from './streams.ts';
import { createStyle, isColourWanted, type Style } from './style.ts';
import type { View } from './viewType.ts';

interface OutputFlags {
  format?: Format;
  columns?: readonly string[];
  jq?: JqRequest;
  color: boolean;
  pager: boolean;
}

/** True if a list with `isDrawnInPipes` is drawn, for commands that keep only what they draw. */
export function isListDrawn(
  { format, columns, jq }: Pick<OutputFlags, 'format' | 'columns' | 'jq'>,
  output: Format | undefined,
  { isTerminal }: { isTerminal: boolean },
): boolean {
  if (columns || jq) return false;
  return format === 'table' || (isTerminal && (format ?? output ?? 'table') === 'table');
}

interface ResultPrinterOptions {
  world: TerminalWorld & { interruptible<T>(work: () => T): T };
  flags: OutputFlags;
  reporter: Reporter;
  /** Reads the configuration, so it is called only if there is something to print or to page. */
  settings(): { output?: Format; pager?: string };
  pagerHint: Hint;
  /** Called for each result: it has the time of now. */
  printerOptions(): Omit<
    PrinterOptions,
    'stdout' | 'format' | 'style' | 'filter' | 'warn' | 'columns'
  >;
}

/** Prints the results of a command to standard output: for people, for pipes, through a pager. */
export function makeResultPrinter(options: ResultPrinterOptions) {
  const { world, flags, reporter, settings, printerOptions } = options;
  const { stdout } = world.streams;
  let filter: JqFilter | undefined;
  let leavePager: (() => Promise<void>) | undefined;
  return { prepare, startPager, endPager, printAll };

  /** Finds mistakes in the output flags before the command starts, and so before any request. */
  async function prepare(view: View | undefined): Promise<void> {
    if (flags.format === 'xlsx' && stdout.isTerminal) {
      throw usageError(
        '-o xlsx writes a file, and standard output is a terminal',
        'Write it to a file: add -O records.xlsx to the command.',
        { flag: '-o', value: flags.format },
      );
    }
    if (view && flags.columns) await printerFor().unknownColumns(view);
    if (!flags.jq) return;
    const { loadFilter } = await import('./jq.ts');
    const say = (text: string) => reporter.note('jq', text);
    filter = await loadFilter(flags.jq, { say, interruptible: world.interruptible });
  }

  /** From here on, output that is longer than the screen goes through a pager. */
  async function startPager(): Promise<void> {
    if (!flags.pager || !stdout.isTerminal || reporter.isAccessible) return;
    const pager = await import('./pager.ts');
    leavePager = pager.startPager({
      ...world,
      setting: settings().pager,
      onMissing: (command) =>
        reporter.warn('pager', [`pager not found: ${command}`, options.pagerHint]),
    });
  }

  async function endPager(): Promise<void> {
    const end = leavePager;
    leavePager = undefined;
    await end?.();
  }

  /** Prints results as they come. A command gets the errors of printing where it yielded the result. */
  async function printAll(results: Results): Promise<void> {
    let next = await results.next();
    while (!next.done) {
      const { error } = await settle(print(next.value));
      next = error ? await results.throw(error) : await results.next();
    }
  }

  async function print(result: Result): Promise<void> {
    const { onlyFor } = result;
    // Plain text needs no settings, so it is printed even if they cannot be read.
    if (result.kind === 'text' && !onlyFor) return printText(result);
    const printer = printerFor(result);
    const { isForPrograms } = printer;
    if (!onlyFor || isForPrograms === (onlyFor === 'programs')) await printWith(printer, result);
    if (isForPrograms || result.kind !== 'list') return;
    for (const note of result.notes ?? []) reporter.reportOnce(note);
  }

  async function printWith(printer: Printer, result: Result): Promise<void> {
    if (result.kind === 'text') return printText(result);
    if (result.kind === 'outcome') return printer.outcome(result);
    if (result.drawing && isDrawn(result)) {
      const lines = result.drawing(canvas());
      return stdout.write(lines.map((line) => `${line}\n`).join(''));
    }
    const { view } = result;
    if (result.kind === 'list') return printer.list(result.pages, view, result);
    if (result.rows && !printer.isForWholeRecords) {
      return printer.list([result.rows], view, result);
    }
    await printer.record(result.record, view, result);
  }

  async function printText({ text }: TextResult): Promise<void> {
    await stdout.write(typeof text === 'function' ? text(canvas()) : text);
  }

  function canvas(): Canvas {
    const { isTerminal, columns, rows } = stdout;
    const isPaged = leavePager !== undefined;
    const tools = cardTools(printerOptions());
    return { isTerminal, columns, rows, isPaged, style: currentStyle(), tools };
  }

  function isDrawn({ isDrawnInPipes = false }: RecordOptions): boolean {
    const isPossible = stdout.isTerminal || isDrawnInPipes;
    return isPossible && isListDrawn(flags, settings().output, stdout);
  }

  /** A new one for each result, because a printer keeps its time. */
  function printerFor({ isOwn, defaultFormat }: ResultOptions = {}): Printer {
    const { secrets, ...given } = printerOptions();
    return makePrinter({
      ...given,
      secrets: isOwn ? undefined : secrets,
      stdout,
      format: formatFor(defaultFormat),
      columns: flags.columns,
      style: currentStyle(),
      filter,
      warn: (code, message, fields) => reporter.warn(code, message, fields),
    });
  }

  function formatFor(defaultFormat: Format | undefined): Format {
    if (flags.format) return flags.format;
    if (defaultFormat && !flags.columns) return defaultFormat;
    return settings().output ?? (stdout.isTerminal ? 'table' : 'tsv');
  }

  function currentStyle(): Style {
    const hasColour = flags.color && isColourWanted(world.env, stdout.isTerminal);
    return createStyle(hasColour, { isAccessible: reporter.isAccessible });
  }
}
