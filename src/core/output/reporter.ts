import { type FieldFacts, type Hint, type Hints, hintList, MarError } from '../errors.ts';
import { formatSeconds } from '../values/duration.ts';
import { fittedLines, hintLine, linesForPrograms } from '../values/hintLines.ts';
import { sanitise, sanitiseLines } from '../values/sanitise.ts';
import type { Screen } from '../values/width.ts';
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
  /** False for a hint whose command this program does not have. */
  isAvailable(hint: Hint): boolean;
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
  readonly #finalReports: Hints[] = [];
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
    return pick(question, choices, this.#world);
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
  reportOnce(message: Hints, importance?: 'essential'): void {
    if (this.isForPrograms || (this.#options.quiet && importance === undefined)) return;
    if (this.isFirst(message)) this.report(message);
  }

  /** Prints a warning. Programs need it too: a result may be wrong or incomplete. */
  warn(code: string, message: Hints, fields?: readonly FieldFacts[]): void {
    if (!this.isFirst(message)) return;
    const [first = { text: '' }, ...others] = this.#hints(message);
    const shown = [{ ...first, text: `warning: ${first.text}` }, ...others];
    const lines = [hintLine(first, this.profile), ...linesForPrograms(others, this.profile)];
    this.#reportFacts({ warning: { code, message: lines.join('\n'), fields } }, shown);
  }

  /** Prints how an input was read. Programs get it as a warning, unless there was no doubt. */
  noteReading(code: string, message: Hints, isCertain = false): void {
    if (this.isForPrograms && !isCertain) this.warn(code, message);
    else this.reportOnce(message);
  }

  /** Prints what a program needs to know during a run. People get the text instead. */
  note(code: string, message: string, facts: object = {}, text: Hints = message): void {
    this.#reportFacts({ note: { code, message, ...facts } }, text);
  }

  reportAtEnd(message: Hints): void {
    this.#finalReports.push(message);
  }

  printFinalReports(): void {
    for (const message of this.#finalReports) this.reportOnce(message);
  }

  report(message: Hints): void {
    this.#print(this.linesOf(message));
  }

  linesOf(message: Hints, screen: Screen = this.#world.streams.stderr, margin = ''): string[] {
    const { platform, redactor } = this.#world;
    const { profile } = this;
    const clean = (text: string) => redactor.clean(text);
    const options = { screen, platform, profile, clean };
    return this.#hints(message).flatMap((hint) => fittedLines(hint, options, margin));
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

  /** The profile that this run was told to use. */
  get profile(): string | undefined {
    return this.#options.profile || this.#world.env.MAR_PROFILE;
  }

  textOf(message: Hints): string {
    const hints = this.#hints(message);
    const lines = this.isForPrograms
      ? linesForPrograms(hints, this.profile)
      : hints.map((hint) => hintLine(hint, this.profile));
    return lines.join('\n');
  }

  /** False if this was called with the same message before. */
  isFirst(message: Hints): boolean {
    const key = JSON.stringify(hintList(message));
    const isFirst = !this.#reported.has(key);
    this.#reported.add(key);
    return isFirst;
  }

  #hints = (message: Hints) => hintList(message).filter(this.#world.isAvailable);

  #reportFacts(facts: object, message: Hints): void {
    if (!this.isForPrograms) {
      this.report(message);
      return;
    }
    this.#print(sanitiseLines(this.#world.redactor.clean(JSON.stringify(facts))));
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
