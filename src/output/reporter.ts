import { type FieldFacts, MarError } from '../errors.ts';
import { withProfile } from '../values/commandLine.ts';
import { formatSeconds } from '../values/duration.ts';
import { sanitise, sanitiseLines } from '../values/sanitise.ts';
import { wrapMessage } from '../values/width.ts';
import type { Choice } from './pick.ts';
import { Progress, type ProgressOptions } from './progress.ts';
import type { TerminalWorld } from './streams.ts';
import { createStyle, isColourWanted, type Style } from './style.ts';

export interface ReporterOptions {
  /** Shows no notes and no progress. */
  quiet?: boolean;
  input: boolean;
  color: boolean;
  /** Warnings are lines of JSON, unless a person reads them. */
  hasJsonErrors: boolean;
  profile?: string;
}

interface ReporterWorld extends TerminalWorld {
  /** Removes known secrets. */
  redactor: { clean(text: string): string };
}

/**
 * Tells people and programs what happens besides the result: notes, warnings, progress and questions.
 * All of it goes to standard error.
 */
export class Reporter {
  readonly #world: ReporterWorld;
  readonly #options: ReporterOptions;
  readonly #isAccessible: () => boolean;
  readonly #reported = new Set<string>();
  readonly #finalReports: string[] = [];
  #waiting?: Progress;
  #waits = 0;

  constructor(world: ReporterWorld, options: ReporterOptions, isAccessible: () => boolean) {
    this.#world = world;
    this.#options = options;
    this.#isAccessible = isAccessible;
  }

  /** For a screen reader: no boxes, bars or repainting. */
  get isAccessible(): boolean {
    return this.#isAccessible();
  }

  get style(): Style {
    const { env, streams } = this.#world;
    return createStyle(this.#options.color && isColourWanted(env, streams.stderr.isTerminal));
  }

  /** A person can be asked. */
  get isInteractive(): boolean {
    const { stdin, stderr } = this.#world.streams;
    return this.#options.input && stdin.isTTY === true && stderr.isTerminal;
  }

  /** True if a program reads standard error, where warnings and errors are then lines of JSON. */
  get isForPrograms(): boolean {
    return this.#options.hasJsonErrors && !this.#world.streams.stderr.isTerminal;
  }

  get progressOptions(): ProgressOptions {
    const { quiet, color } = this.#options;
    return { ...this.#world, quiet, color, isAccessible: this.isAccessible };
  }

  /** Asks on the terminal of an interactive run. After a no, prints `refusal` and ends the command. */
  async confirm(question: string, refusal: string): Promise<void> {
    const { withPrompter } = await import('./prompt.ts');
    if (await withPrompter(this.#world, (prompter) => prompter.confirm(sanitise(question)))) return;
    this.reportOnce(refusal);
    throw new MarError('interrupted', refusal);
  }

  /** Lets a person choose on the terminal of an interactive run. Returns the id of the choice. */
  async pick(question: string, choices: readonly Choice[]): Promise<string> {
    const { pick } = await import('./pick.ts');
    const hasColour = this.#options.color && isColourWanted(this.#world.env, true);
    return pick(question, choices, { ...this.#world, isAccessible: this.isAccessible, hasColour });
  }

  /** Shows what the command waits for, until the returned function is called. Waits share one line. */
  startWait(what: string): () => void {
    this.#waits += 1;
    this.#waiting ??= new Progress(this.progressOptions, (elapsedMs) => [
      `Waiting for ${what}… ${formatSeconds(elapsedMs / 1000)}`,
    ]);
    return () => {
      this.#waits -= 1;
      if (this.#waits > 0) return;
      this.#waiting?.end();
      this.#waiting = undefined;
    };
  }

  async waitFor<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const end = this.startWait(what);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Shows the wait before a request is repeated. */
  announceRetry(waitMs: number, status: number | undefined): void {
    this.#world.streams.progress?.announceRetry(waitMs, status);
  }

  /**
   * Prints a note, for people only. `--quiet` hides it, unless it is `essential`: part of an error or of
   * a question.
   */
  reportOnce(text: string, importance?: 'essential'): void {
    if (this.isForPrograms || (this.#options.quiet && importance === undefined)) return;
    if (this.isFirst(text)) this.report(text);
  }

  /** Prints a warning. Programs need it too: a result may be wrong or incomplete. */
  warn(code: string, message: string, fields?: readonly FieldFacts[]): void {
    const text = `warning: ${message}`;
    if (!this.isFirst(text)) return;
    this.#reportFacts({ warning: { code, message, fields } }, text);
  }

  /** Prints how an input was read. Programs get it as a warning, unless there was no doubt. */
  noteReading(code: string, text: string, isCertain = false): void {
    if (this.isForPrograms && !isCertain) this.warn(code, text);
    else this.reportOnce(text);
  }

  /** Prints what a program needs to know during a run. People get the text instead. */
  note(code: string, message: string, facts: object = {}, text = message): void {
    this.#reportFacts({ note: { code, message, ...facts } }, text);
  }

  reportAtEnd(text: string): void {
    this.#finalReports.push(text);
  }

  printFinalReports(): void {
    for (const text of this.#finalReports) this.reportOnce(text);
  }

  report(text: string): void {
    const { platform, redactor, streams } = this.#world;
    const fitted = (line: string) => {
      const indent = `${/^ */.exec(line)?.[0]}  `;
      return wrapMessage(line, streams.stderr, { indent, platform });
    };
    this.#print(sanitiseLines(redactor.clean(this.withProfile(text))).flatMap(fitted));
  }

  /** Prints a trace, whose lines are not wrapped. */
  trace(text: string): void {
    if (this.isForPrograms) this.note('trace', text);
    else this.#print(sanitiseLines(this.#world.redactor.clean(text)));
  }

  /** Prints lines that are already redacted and fit the screen. Nothing for programs. */
  async printLines(lines: readonly string[]): Promise<void> {
    if (this.isForPrograms) return;
    await this.#world.streams.stderr.write(`${lines.join('\n')}\n`).catch(() => {});
  }

  /** Adds `--profile` to the commands in a text, if this run was told which profile to use. */
  withProfile(text: string): string {
    return withProfile(text, this.#options.profile || this.#world.env.MAR_PROFILE);
  }

  /** False if this was called with the same text before. */
  isFirst(text: string): boolean {
    const isFirst = !this.#reported.has(text);
    this.#reported.add(text);
    return isFirst;
  }

  #reportFacts(facts: object, text: string): void {
    if (!this.isForPrograms) {
      this.report(text);
      return;
    }
    const json = JSON.stringify(facts, (key: string, value: unknown) =>
      key === 'message' ? this.withProfile(String(value)) : value,
    );
    this.#print(sanitiseLines(this.#world.redactor.clean(json)));
  }

  #print(lines: readonly string[]): void {
    const { stdout, stderr } = this.#world.streams;
    // On a terminal that shows an incomplete line of the result, start a new line.
    const isShared = stdout.isTerminal && stderr.isTerminal && !stdout.redirect;
    const isMidLine = !stdout.isAtLineStart && isShared;
    if (isMidLine) stdout.isAtLineStart = true;
    // A closed standard error cannot be reported anywhere.
    stderr.write(`${isMidLine ? '\n' : ''}${lines.join('\n')}\n`).catch(() => {});
  }
}
