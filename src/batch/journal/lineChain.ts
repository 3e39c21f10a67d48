import { crc32 } from 'node:zlib';

/** `,"crc":"89abcdef"}` */
const sealLength = 18;

/**
 * Numbers the lines of a journal and puts a checksum into each. A checksum also covers all lines
 * before it, so a line that was changed, removed, repeated or moved is noticed.
 */
export class LineChain {
  #line = 0;
  #checksum = 0;
  #hasSeals = false;

  get line(): number {
    return this.#line;
  }

  get hasSeals(): boolean {
    return this.#hasSeals;
  }

  /** Completes a line of JSON, given without its closing brace. */
  seal(json: string): string {
    this.#line += 1;
    const content = `${json},"seq":${this.#line}`;
    this.#checksum = crc32(content, this.#checksum);
    this.#hasSeals = true;
    return `${content},"crc":"${hexOf(this.#checksum)}"}`;
  }

  /** Whether a line that was read is the one that was written next; if so, it is counted. */
  accept(bytes: Buffer): boolean {
    const end = bytes.length - sealLength;
    const [, seal] = /^,"crc":"([\da-f]{8})"\}$/.exec(bytes.toString('latin1', end)) ?? [];
    // Journals of version 1 have no checksums, until a run adds lines to them.
    if (seal === undefined && this.#hasSeals) return false;
    const content = seal === undefined ? bytes : bytes.subarray(0, end);
    const checksum = crc32(content, this.#checksum);
    const line = this.#line + 1;
    if (seal !== undefined) {
      const number = `,"seq":${line}`;
      const isNext = content.toString('latin1', content.length - number.length) === number;
      if (!isNext || seal !== hexOf(checksum)) return false;
      this.#hasSeals = true;
    }
    this.#checksum = checksum;
    this.#line = line;
    return true;
  }
}

const hexOf = (checksum: number) => checksum.toString(16).padStart(8, '0');
