import { compact, pretty } from '../json/text.ts';
import { type Card, renderCard } from './card.ts';
import { cellText, plainText } from './cell.ts';
import { flatten, valueAt } from './flatten.ts';
import { type Format, isMachineFormat } from './format.ts';
import { type ListWriter, listWriter } from './lists.ts';
import { type Presentation, presentable } from './present.ts';
import { sanitiseLines } from './sanitise.ts';
import { ClosedPipe, type Output } from './streams.ts';
import type { Style } from './style.ts';
import { formatDate, formatRelative, readTime, type TimeUnit } from './time.ts';
import { tsvRow } from './tsv.ts';
import type { CardTools, Column, Shown, View } from './view.ts';

export interface PrinterOptions {
  stdout: Output;
  format: Format;
  style: Style;
  now: Date;
  timeUnit: TimeUnit;
  /** The paths picked with `--columns`. */
  columns?: readonly string[];
  showSecrets: boolean;
}

/** Prints results on standard output in the form that was asked for. */
export class Printer {
  readonly #options: PrinterOptions;

  constructor(options: PrinterOptions) {
    this.#options = options;
  }

  /** The same, in another form. */
  as(format: Format): Printer {
    return new Printer({ ...this.#options, format });
  }

  /** The same, for what the program itself makes: nothing in it is a secret. */
  get forOwnRecords(): Printer {
    return new Printer({ ...this.#options, showSecrets: true });
  }

  get isForPrograms(): boolean {
    return isMachineFormat(this.#options.format);
  }

  /** One record: as JSON, as a card for people, as key and value rows for a pipe. */
  async record(record: Shown, view: View): Promise<void> {
    const { stdout, format, style } = this.#options;
    const isMachine = isMachineFormat(format);
    const shown = this.#present(record, isMachine ? 'never' : 'always');
    if (isMachine) {
      const text =
        format === 'json' && stdout.isTerminal ? pretty(shown.text) : compact(shown.text);
      await stdout.write(`${text}\n`);
    } else if (format === 'table') {
      const lines = renderCard(this.#card(shown.value, view), stdout.columns, style);
      await stdout.write(`${lines.join('\n')}\n`);
    } else {
      await stdout.write(`${this.#rows(shown.value).map(tsvRow).join('\n')}\n`);
    }
  }

  /** Many records, printed as they come. */
  async list(pages: AsyncIterable<readonly Shown[]>, view: View): Promise<void> {
    const writer: ListWriter = listWriter({ ...this.#options, columns: this.#columns(view) });
    const exactValues = isMachineFormat(this.#options.format) ? 'never' : 'if-numbers-need-it';
    try {
      for await (const page of pages) {
        await writer.page(page.map((record) => this.#present(record, exactValues)));
      }
    } catch (error) {
      if (!(error instanceof ClosedPipe)) await writer.breakOff?.();
      throw error;
    }
    await writer.end();
  }

  /** A result of the program's own: a sentence for people, the facts for programs. */
  async outcome(facts: Record<string, unknown>, sentence: string): Promise<void> {
    const { stdout, format } = this.#options;
    const text = isMachineFormat(format)
      ? compact(JSON.stringify(facts))
      : sanitiseLines(sentence).join('\n');
    await stdout.write(`${text}\n`);
  }

  #present(record: Shown, exactValues: Presentation['exactValues']): Shown {
    return presentable(record, { showSecrets: this.#options.showSecrets, exactValues });
  }

  #columns(view: View): readonly Column[] {
    const picked = this.#options.columns;
    if (!picked) return view.columns;
    return picked.map(
      (path) => view.columns.find((column) => column.path === path) ?? { title: path, path },
    );
  }

  #card(value: unknown, view: View): Card {
    const { columns, now, timeUnit } = this.#options;
    if (!columns) return view.card(value, cardTools(now, timeUnit));
    const rows = columns.map((path) => [path, cellText(valueAt(value, path))] as const);
    return { title: '', sections: [{ rows }] };
  }

  #rows(value: unknown): (readonly [string, string])[] {
    const { columns } = this.#options;
    if (!columns) return flatten(value);
    return columns.map((path) => [path, plainText(valueAt(value, path))]);
  }
}

function cardTools(now: Date, timeUnit: TimeUnit): CardTools {
  return {
    now,
    cell: cellText,
    time(value, zone) {
      const date = readTime(value, timeUnit);
      if (!date) return cellText(value);
      const place = typeof zone === 'string' ? zone : undefined;
      return `${formatDate(date, place)} (${formatRelative(date, now)})`;
    },
  };
}
