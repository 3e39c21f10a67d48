import { clearLine, cursorTo } from 'node:readline';
import { Writable } from 'node:stream';
import 'ora';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Progress, pageParts } from '../../../src/core/output/progress.ts';
import { Output, type Streams, type TerminalWritable } from '../../../src/core/output/streams.ts';
import { networkWords } from '../../words/network.ts';
import { outputWords } from '../../words/output.ts';

const waiting = outputWords.waiting('the service');

/** The terminal's screen after both streams were written to it. */
class Screen {
  lines = [''];

  write(text: string): void {
    // The spinner erases its line with these: cursor to the first column, erase to the right.
    const [first = '', ...afterErasing] = text
      .replaceAll('\u001b[?2026h', '')
      .replaceAll('\u001b[?2026l', '')
      .replaceAll('\u001b[1G', '')
      .split('\u001b[0K');
    this.#add(first);
    for (const part of afterErasing) {
      this.lines[this.lines.length - 1] = '';
      this.#add(part);
    }
  }

  #add(text: string): void {
    const [end, ...lines] = text.split('\n');
    this.lines[this.lines.length - 1] += end ?? '';
    this.lines.push(...lines);
  }
}

/** Takes what was written at once, or when it is told to. */
class Reader {
  readonly isSlow: boolean;
  #taken?: () => void;

  constructor(isSlow: boolean) {
    this.isSlow = isSlow;
  }

  take(done: () => void): void {
    if (this.isSlow) this.#taken = done;
    else done();
  }

  read(): void {
    this.#taken?.();
  }
}

function outputOn(screen: Screen, isTTY: boolean, columns = 80, reader = new Reader(false)) {
  const stream: TerminalWritable = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      screen.write(String(chunk));
      reader.take(done);
    },
  });
  const cursor = {
    cursorTo: (column: number) => cursorTo(stream, column),
    clearLine: (direction: 1) => clearLine(stream, direction),
  };
  return new Output('output', () => Object.assign(stream, { isTTY, columns, ...cursor }));
}

function begin({ stdoutIsTTY = false, columns = 80, readerIsSlow = false } = {}) {
  const reader = new Reader(readerIsSlow);
  const screen = new Screen();
  const elsewhere = new Screen();
  const streams: Streams = {
    get stdin(): never {
      throw new Error('not read');
    },
    stdout: outputOn(stdoutIsTTY ? screen : elsewhere, stdoutIsTTY, columns, reader),
    stderr: outputOn(screen, true, columns),
  };
  const interruption = new AbortController();
  const { signal } = interruption;
  const options = { streams, env: {}, signal, color: true, isAccessible: false };
  const read: { pages: number; records: number; wanted?: number } = { pages: 0, records: 0 };
  return {
    screen,
    streams,
    options,
    read,
    progress: new Progress(options, (elapsedMs) =>
      pageParts(elapsedMs, read.pages, read.records, read.wanted),
    ),
    interruption,
    reader,
    line: () => screen.lines.at(-1)?.replace(/^[^\w]+/, ''),
  };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('progress', () => {
  it('shows before half a second has passed, and not at once', async () => {
    const { progress, read, line } = begin();
    Object.assign(read, { pages: 1, records: 100 });
    await vi.advanceTimersByTimeAsync(290);
    expect(line()).toBe('');
    await vi.advanceTimersByTimeAsync(200);
    expect(line()).toBe('100 records, 1 page, 250/s');
    progress.end();
    expect(line()).toBe('');
  });

  it('reports that it waits as long as nothing is there', async () => {
    const { line } = begin();
    await vi.advanceTimersByTimeAsync(2500);
    expect(line()).toBe(`${waiting} 3 s`);
  });

  it('knows the share and the time left when the total is known', async () => {
    const { read, line } = begin();
    Object.assign(read, { pages: 25, records: 2500, wanted: 1_000_000 });
    await vi.advanceTimersByTimeAsync(1080);
    expect(line()).toBe('2,500 of 1,000,000 records, 0 %, 7 min left, 2,500/s, 25 pages');
  });

  it.each([20, 30, 40, 60])('fits a terminal of %i columns', async (columns) => {
    const { read, line } = begin({ columns });
    Object.assign(read, { pages: 1, records: 100, wanted: 1_000_000 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(line()?.length).toBeLessThan(columns);
  });

  it('gives way to all that is written to its terminal, and comes back', async () => {
    const { streams, screen } = begin({ stdoutIsTTY: true });
    await vi.advanceTimersByTimeAsync(600);
    await streams.stdout.write('f-1  name\n');
    expect(screen.lines).toEqual(['f-1  name', '']);
    await vi.advanceTimersByTimeAsync(200);
    expect(screen.lines.at(-1)).toBe('');
    await vi.advanceTimersByTimeAsync(200);
    expect(screen.lines.at(-1)).toContain(waiting);
    await streams.stderr.write('warning: x\n');
    expect(screen.lines).toEqual(['f-1  name', 'warning: x', '']);
  });

  it('never touches a line that is not finished', async () => {
    const { streams, screen } = begin({ stdoutIsTTY: true });
    await streams.stdout.write('[\n  {}');
    await vi.advanceTimersByTimeAsync(5000);
    expect(screen.lines).toEqual(['[', '  {}']);
  });

  it('stays where it is while standard output goes elsewhere', async () => {
    const { streams, line } = begin();
    await vi.advanceTimersByTimeAsync(600);
    await streams.stdout.write('f-1');
    expect(line()).toContain(waiting);
  });

  it('is not drawn over a pager, which does not read on until the reader asks for more', async () => {
    const { streams, line, reader } = begin({ readerIsSlow: true });
    const first = streams.stdout.write('page 1\n');
    await vi.advanceTimersByTimeAsync(5000);
    expect(line()).toBe('');
    reader.read();
    await first;
    await vi.advanceTimersByTimeAsync(200);
    expect(line()).toBe('');
    const second = streams.stdout.write('page 2\n');
    await vi.advanceTimersByTimeAsync(5000);
    expect(line()).toBe('');
    reader.read();
    await second;
    await vi.advanceTimersByTimeAsync(700);
    expect(line()).toContain(waiting);
  });

  it('is drawn again once a slow reader has taken all that was written', async () => {
    const { streams, line, reader } = begin({ readerIsSlow: true });
    for (let page = 0; page < 3; page += 1) {
      const taken = streams.stdout.write('f-1\n');
      await vi.advanceTimersByTimeAsync(300);
      reader.read();
      await taken;
    }
    await vi.advanceTimersByTimeAsync(500);
    expect(line()).toContain(waiting);
  });

  it('is gone at once on an interruption, and stays away', async () => {
    const { line, interruption } = begin();
    await vi.advanceTimersByTimeAsync(600);
    expect(line()).toContain(waiting);
    interruption.abort();
    expect(line()).toBe('');
    await vi.advanceTimersByTimeAsync(5000);
    expect(line()).toBe('');
  });

  it('counts down to a retry, then waits again', async () => {
    const { streams, line } = begin();
    streams.progress?.announceRetry(3000, 502);
    await vi.advanceTimersByTimeAsync(1000);
    expect(line()).toBe(`${networkWords.retrying('3 s')} (502)`);
    await vi.advanceTimersByTimeAsync(2500);
    expect(line()).toBe(`${waiting} 4 s`);
  });

  it('stays one line when something else is waited for meanwhile', async () => {
    const { options, line } = begin();
    const inner = new Progress(options, () => ['inner']);
    await vi.advanceTimersByTimeAsync(1000);
    inner.end();
    await vi.advanceTimersByTimeAsync(1000);
    expect(line()).toBe(`${waiting} 2 s`);
  });
});
