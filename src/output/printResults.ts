import { usageError } from '../errors.ts';
import { settle } from '../values/concurrency.ts';
import type { Format } from '../values/formats.ts';
import type { JqFilter, JqRequest } from './jq.ts';
import { cardTools, Printer, type PrinterOptions } from './printer.ts';
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
import { createStyle, hasLinkSupport, isColourWanted, type Style } from './style.ts';
import type { View } from './view.ts';

interface OutputFlags {
  format?: Format;
  columns?: readonly string[];
  jq?: JqRequest;
  color: boolean;
  pager: boolean;
}

interface OutputWorld extends TerminalWorld {
  interruptible<T>(work: () => T): T;
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
  world: OutputWorld;
  flags: OutputFlags;
  reporter: Reporter;
  /** Reads the configuration, so it is called only if there is something to print or to page. */
  settings(): { output?: Format; pager?: string };
  pagerHint: string;
  /** Called for each result: it has the time of now. */
  printerOptions(): Omit<
    PrinterOptions,
    'stdout' | 'format' | 'style' | 'filter' | 'warn' | 'interruptible' | 'columns'
  >;
}

/** Prints the results of a command to standard output: for people, for pipes, through a pager. */
export class ResultPrinter {
  readonly #options: ResultPrinterOptions;
  #filter?: JqFilter;
  #endPager?: () => Promise<void>;

  constructor(options: ResultPrinterOptions) {
    this.#options = options;
  }

  /** Finds mistakes in the output flags before the command starts, and so before any request. */
  async prepare(view: View | undefined): Promise<void> {
    const { world, flags, reporter } = this.#options;
    if (flags.format === 'xlsx' && world.streams.stdout.isTerminal) {
      throw usageError(
        '-o xlsx writes a file, and standard output is a terminal',
        'Write it to a file: add -O records.xlsx to the command.',
        { flag: '-o', value: flags.format },
      );
    }
    if (view && flags.columns) await this.#printer().unknownColumns(view);
    if (!flags.jq) return;
    const { loadFilter } = await import('./jq.ts');
    this.#filter = await loadFilter(flags.jq, {
      say: (text) => reporter.note('jq', text),
      interruptible: world.interruptible,
    });
  }

  /** From here on, output that is longer than the screen goes through a pager. */
  async startPager(): Promise<void> {
    const { flags, world, reporter, settings, pagerHint } = this.#options;
    if (!flags.pager || !world.streams.stdout.isTerminal || reporter.isAccessible) return;
    const { startPager } = await import('./pager.ts');
    this.#endPager = startPager({
      ...world,
      setting: settings().pager,
      onMissing: (command) => reporter.warn('pager', `pager not found: ${command}. ${pagerHint}`),
    });
  }

  /** Waits until the user leaves the pager, if there is one. */
  async endPager(): Promise<void> {
    const end = this.#endPager;
    this.#endPager = undefined;
    await end?.();
  }

  /** Prints results as they come. A command gets the errors of printing where it yielded the result. */
  async printAll(results: Results): Promise<void> {
    let next = await results.next();
    while (!next.done) {
      const { error } = await settle(this.#print(next.value));
      next = error ? await results.throw(error) : await results.next();
    }
  }

  async #print(result: Result): Promise<void> {
    const { onlyFor } = result;
    // Plain text needs no settings, so it is printed even if they cannot be read.
    if (result.kind === 'text' && !onlyFor) return this.#printText(result);
    const printer = this.#printer(result);
    const { isForPrograms } = printer;
    if (!onlyFor || isForPrograms === (onlyFor === 'programs')) {
      await this.#printWith(printer, result);
    }
    if (isForPrograms || result.kind !== 'list') return;
    for (const note of result.notes ?? []) this.#options.reporter.reportOnce(note);
  }

  async #printWith(printer: Printer, result: Result): Promise<void> {
    if (result.kind === 'text') return this.#printText(result);
    if (result.kind === 'outcome') return printer.outcome(result);
    if (result.drawing && this.#isDrawn(result)) {
      const lines = result.drawing(this.#canvas);
      return this.#options.world.streams.stdout.write(lines.map((line) => `${line}\n`).join(''));
    }
    const { view } = result;
    if (result.kind === 'list') return printer.list(result.pages, view, result);
    if (result.rows && !printer.isWholeRecord) return printer.list([result.rows], view, result);
    await printer.record(result.record, view, result);
  }

  async #printText({ text }: TextResult): Promise<void> {
    const { stdout } = this.#options.world.streams;
    await stdout.write(typeof text === 'function' ? text(this.#canvas) : text);
  }

  get #canvas(): Canvas {
    const { world, printerOptions } = this.#options;
    const { isTerminal, columns, rows } = world.streams.stdout;
    const isPaged = this.#endPager !== undefined;
    const tools = cardTools(printerOptions());
    return { isTerminal, columns, rows, isPaged, style: this.#style, tools };
  }

  #isDrawn({ isDrawnInPipes = false }: RecordOptions): boolean {
    const { flags, settings, world } = this.#options;
    const { stdout } = world.streams;
    const isPossible = stdout.isTerminal || isDrawnInPipes;
    return isPossible && isListDrawn(flags, settings().output, stdout);
  }

  /** A new one for each result, because a printer keeps its time. */
  #printer({ isOwn, defaultFormat }: ResultOptions = {}): Printer {
    const { world, flags, reporter, printerOptions } = this.#options;
    const { secrets, ...given } = printerOptions();
    return new Printer({
      ...given,
      secrets: isOwn ? undefined : secrets,
      stdout: world.streams.stdout,
      format: this.#format(defaultFormat),
      columns: flags.columns,
      style: this.#style,
      filter: this.#filter,
      warn: (code, message, fields) => reporter.warn(code, message, fields),
      interruptible: world.interruptible,
    });
  }

  #format(defaultFormat: Format | undefined): Format {
    const { world, flags, settings } = this.#options;
    if (flags.format) return flags.format;
    if (defaultFormat && !flags.columns) return defaultFormat;
    return settings().output ?? (world.streams.stdout.isTerminal ? 'table' : 'tsv');
  }

  get #style(): Style {
    const { world, flags, reporter } = this.#options;
    const { stdout } = world.streams;
    const hasColour = flags.color && isColourWanted(world.env, stdout.isTerminal);
    const hasLinks = hasColour && stdout.isTerminal && hasLinkSupport(world.env);
    return createStyle(hasColour, { hasLinks, isAccessible: reporter.isAccessible });
  }
}
