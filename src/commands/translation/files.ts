import { MarError, usageError } from '../../errors.ts';
import { writeNamedFile } from '../../subtitles/destination.ts';
import type { Which } from '../../subtitles/lines.ts';
import { fillTemplate } from '../../subtitles/names.ts';
import { valueAt } from '../../terminal/flatten.ts';
import type { Shown } from '../../terminal/view.ts';

/** A work request that was asked for. */
export interface Asked {
  id: string;
  record: Shown;
}

/**
 * The files of an export, named by a template. Where two requests may get the same name, none is
 * written before all names are known.
 */
export class Files {
  readonly #template: string;
  readonly #which: Which;
  readonly #owners = new Map<string, string>();
  readonly #waiting: { name: string; text: string }[] = [];
  #hasClash = false;
  readonly written: string[] = [];

  constructor(template: string, which: Which) {
    this.#template = template;
    this.#which = which;
  }

  async add(asked: Asked, text: string): Promise<void> {
    const name = this.#nameFor(asked);
    if (this.#template.includes('{id}')) await this.#write(name, text);
    else this.#waiting.push({ name, text });
  }

  /** Writes those that were held back; one that cannot be written does not keep the others back. */
  async finish(): Promise<MarError[]> {
    const failures: MarError[] = [];
    if (this.#hasClash) return failures;
    for (const { name, text } of this.#waiting) {
      try {
        await this.#write(name, text);
      } catch (error) {
        if (!(error instanceof MarError)) throw error;
        failures.push(error);
      }
    }
    return failures;
  }

  async #write(name: string, text: string): Promise<void> {
    await writeNamedFile(name, text);
    this.written.push(name);
  }

  /** No two may be the same, on systems that know no capitals either. */
  #nameFor({ id, record }: Asked): string {
    const text = (path: string) => {
      const value = valueAt(record.value, path);
      return typeof value === 'string' ? value : '';
    };
    const name = fillTemplate(this.#template, {
      id,
      language: text(`${this.#which}.language`) || text('language'),
      territory: text('territory'),
      asset: text('asset.name'),
      project: text('project.name'),
    });
    const key = name.normalize('NFC').toLowerCase();
    const other = this.#owners.get(key);
    if (other !== undefined) {
      this.#hasClash = true;
      throw usageError(
        `${other} and ${id} would both be written to ${name}`,
        'put {id} into the name after -O',
      );
    }
    this.#owners.set(key, id);
    return name;
  }
}
