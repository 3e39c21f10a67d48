import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pageProgress } from '../../src/terminal/progress.ts';
import { Output, type Streams, type TerminalWritable } from '../../src/terminal/streams.ts';

/** The terminal's screen after both streams were written to it. */
class Screen {
  lines = [''];

  write(text: string): void {
    const [first = '', ...afterErasing] = text.split('\r\u001b[K');
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
  return new Output('output', () => Object.assign(stream, { isTTY, columns }));
}

function begin({
  stdoutIsTTY = false,
  stderrIsTTY = true,
  columns = 80,
  env = {},
  readerIsSlow = false,
} = {}) {
  const reader = new Reader(readerIsSlow);
  const screen = new Screen();
  const elsewhere = new Screen();
  const streams: Streams = {
    get stdin(): never {
      throw new Error('not read');
    },
    stdout: outputOn(stdoutIsTTY ? screen : elsewhere, stdoutIsTTY, columns, reader),
    stderr: outputOn(screen, stderrIsTTY, columns),
  };
  const interruption = new AbortController();
  const progress = pageProgress({
    streams,
    env,
    signal: interruption.signal,
  });
  return { screen, streams, progress, interruption, reader, line: () => screen.lines.at(-1) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('progress', () => {
  it('shows after half a second, and not before', async () => {
    const { progress, line } = begin();
    progress.add(100, undefined);
    vi.advanceTimersByTime(450);
    expect(line()).toBe('');
    vi.advanceTimersByTime(100);
    expect(line()).toBe('100 records, 1 page, 200/s');
    await progress.end();
    expect(line()).toBe('');
  });

  it('says that it waits as long as nothing is there', () => {
    const { line } = begin();
    vi.advanceTimersByTime(2500);
    expect(line()).toBe('waiting for the service, 3 s');
  });

  it('knows the share and the time left when the total is known', () => {
    const { progress, line } = begin();
    for (let page = 0; page < 25; page += 1) progress.add(100, 1_000_000);
    vi.advanceTimersByTime(1000);
    expect(line()).toBe('2,500 of 1,000,000 records, 0 %, 7 min left, 2,500/s, 25 pages');
  });

  it.each([20, 30, 40, 60])('fits a terminal of %i columns', (columns) => {
    const { progress, line } = begin({ columns });
    progress.add(100, 1_000_000);
    vi.advanceTimersByTime(1000);
    expect(line()?.length).toBeLessThan(columns);
  });

  it('is not drawn where standard error is no terminal, or a dumb one', () => {
    for (const options of [{ stderrIsTTY: false }, { env: { TERM: 'dumb' } }]) {
      const { screen } = begin(options);
      vi.advanceTimersByTime(5000);
      expect(screen.lines).toEqual(['']);
    }
  });

  it('gives way to all that is written to its terminal, and comes back', async () => {
    const { streams, screen } = begin({ stdoutIsTTY: true });
    vi.advanceTimersByTime(600);
    await streams.stdout.write('f-1  name\n');
    expect(screen.lines).toEqual(['f-1  name', '']);
    vi.advanceTimersByTime(400);
    expect(screen.lines.at(-1)).toBe('');
    vi.advanceTimersByTime(200);
    expect(screen.lines.at(-1)).toMatch(/^waiting/);
    await streams.stderr.write('warning: x\n');
    expect(screen.lines).toEqual(['f-1  name', 'warning: x', '']);
  });

  it('never touches a line that is not finished', async () => {
    const { streams, screen } = begin({ stdoutIsTTY: true });
    await streams.stdout.write('[\n  {}');
    vi.advanceTimersByTime(5000);
    expect(screen.lines).toEqual(['[', '  {}']);
  });

  it('stays where it is while standard output goes elsewhere', async () => {
    const { streams, line } = begin();
    vi.advanceTimersByTime(600);
    await streams.stdout.write('f-1');
    expect(line()).toMatch(/^waiting/);
  });

  it('is not drawn over a pager, which does not read on until it is told to', async () => {
    const { streams, line, reader } = begin({ readerIsSlow: true });
    const first = streams.stdout.write('page 1\n');
    await vi.advanceTimersByTimeAsync(5000);
    expect(line()).toBe('');
    reader.read();
    await first;
    await vi.advanceTimersByTimeAsync(400);
    expect(line()).toBe('');
    const second = streams.stdout.write('page 2\n');
    await vi.advanceTimersByTimeAsync(5000);
    expect(line()).toBe('');
    reader.read();
    await second;
    await vi.advanceTimersByTimeAsync(700);
    expect(line()).toMatch(/^waiting/);
  });

  it('is drawn between the writes to a reader that is merely slow', async () => {
    const { streams, line, reader } = begin({ readerIsSlow: true });
    for (let page = 0; page < 3; page += 1) {
      const taken = streams.stdout.write('f-1\n');
      await vi.advanceTimersByTimeAsync(300);
      reader.read();
      await taken;
    }
    await vi.advanceTimersByTimeAsync(100);
    expect(line()).toMatch(/^waiting/);
  });

  it('is gone at once on an interruption, and stays away', () => {
    const { line, interruption } = begin();
    vi.advanceTimersByTime(600);
    expect(line()).toMatch(/^waiting/);
    interruption.abort();
    expect(line()).toBe('');
    vi.advanceTimersByTime(5000);
    expect(line()).toBe('');
  });
});
