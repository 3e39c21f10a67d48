import { describe, expect, it } from 'vitest';
import { fakeService, rangeOf, storedLogin } from '../../harness/fakeService.ts';
import { contentRange, listService } from '../../harness/listService.ts';
import { mar } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { withService } from '../../harness/storedAccount.ts';
import { outputWords } from '../../words/output.ts';

const list = ['file', 'list', '--columns', '_id'];
const all = [...list, '--all'];
const count = (stdout: string) => new Set(stdout.trimEnd().split('\n')).size;

interface Behaviour {
  size: number;
  /** The largest range that is accepted. */
  max?: number;
  status?: number;
  /** Refuses a range as soon as its last record is behind the list. */
  isStrict?: boolean;
  cap?: number;
}

/** A service that refuses ranges: those behind the list, and those that are too large. */
async function strictService({ size, max = 1000, status = 400, isStrict, cap = 1000 }: Behaviour) {
  const ranges: string[] = [];
  const { baseUrl } = await fakeService((request) => {
    const { range, from, to } = rangeOf(request);
    ranges.push(range);
    if (to - from >= max) return status;
    if ((isStrict ? to : from) >= size) return max < 1000 ? 416 : status;
    const length = Math.min(size, to + 1, from + cap) - from;
    return JSON.stringify(Array.from({ length }, (_, at) => ({ _id: `f-${from + at}` })));
  });
  return { ranges, env: storedLogin(baseUrl) };
}

describe('a list', () => {
  it.each([400, 404, 416])('ends where %i follows its last record', async (status) => {
    for (const size of [1, 37, 200]) {
      const run = await mar(all, await strictService({ size, status }));
      expect(run, run.stderr).toMatchObject({ code: 0, stderr: '' });
      expect(count(run.stdout)).toBe(size);
    }
  });

  it('loses no record at a service that refuses a range which only ends behind it', async () => {
    const run = await mar(
      [...all, '--page-size', '10'],
      await strictService({ size: 37, isStrict: true }),
    );
    expect(run, run.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(count(run.stdout)).toBe(37);
  });

  it.each([
    ['whose first page is refused', { size: 0, status: 400 }],
    ['that another status interrupts', { size: 200, status: 403 }],
  ])('%s is an error', async (_name, behaviour) => {
    const run = await mar(all, await strictService(behaviour));
    expect(run.code).not.toBe(0);
  });

  it('ends as it is set for the service', async () => {
    const { env } = await strictService({ size: 200, status: 410 });
    expect((await mar(all, { env })).code).not.toBe(0);
    expect((await mar(all, { env: withService(env, { 'list.end': 'empty,410' }) })).code).toBe(0);
  });

  it('that ends before its total is incomplete', async () => {
    const service = await listService({
      size: 200,
      headers: contentRange(300),
      onPage(from, response) {
        if (from < 200) return;
        response.statusCode = 404;
        response.end('{}');
      },
    });
    expect((await mar(all, service)).code).toBe(1);
  });

  it('of short pages is continued up to --limit', async () => {
    const run = await mar([...list, '--limit', '50'], await strictService({ size: 200, cap: 10 }));
    expect([run.code, count(run.stdout)]).toEqual([0, 50]);
  });
});

describe('a page that is too large', () => {
  it.each([400, 413, 416, 422])(
    '(%i) is requested again with ten, which is remembered',
    async (status) => {
      const { ranges, env } = await strictService({ size: 25, max: 50, status });
      const run = await mar(all, { env });
      expect([run.code, count(run.stdout)]).toEqual([0, 25]);
      expect(run.stderr).toContain(outputWords.pageRefused('100'));
      expect(run.stderr).toContain('mar config set list.page=50');
      expect(ranges.slice(0, 3)).toEqual(['0-99', '0-9', '10-19']);
      ranges.length = 0;
      expect(await mar(all, { env })).toMatchObject({ code: 0, stdout: run.stdout, stderr: '' });
      expect(ranges[0]).toBe('0-9');
      ranges.length = 0;
      await mar([...all, '--page-size', '20'], { env });
      await mar(all, { env: withService(env, { 'list.page': '15' }) });
      expect(ranges).toContain('0-19');
      expect(ranges).toContain('0-14');
    },
  );

  it('is tried once with ten, and not below', async () => {
    const { ranges, env } = await strictService({ size: 25, max: 5 });
    expect((await mar(all, { env })).code).not.toBe(0);
    expect(ranges).toEqual(['0-99', '0-9']);
    ranges.length = 0;
    await mar([...list, '--limit', '10'], { env });
    expect(ranges).toEqual(['0-9']);
  });
});

describe('a service that ignores ranges', () => {
  /** Sends this many records, whatever is requested. */
  const deaf = (size: number) =>
    fakeService(() =>
      JSON.stringify(Array.from({ length: size }, (_, at) => ({ _id: `f-${at}` }))),
    );

  it('and sends more than was requested, twice, has sent the whole list', async () => {
    const run = await mar(all, await deaf(150));
    expect(run, run.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(count(run.stdout)).toBe(150);
  });

  it.each([[100], [30], [10]])(
    'may have sent only the first %i, so it is an error',
    async (size) => {
      const { env } = await deaf(size);
      const stderr = (await mar(all, { env })).stderr;
      expect(stderr).toContain(outputWords.wholeList(String(size)));
      const run = await mar([...list, '--limit', String(size)], { env });
      expect([run.code, count(run.stdout)]).toEqual([0, size]);
    },
  );

  it('is not read from another record than the first', async () => {
    const { env } = await deaf(150);
    await failure(1, { ...(await mar([...list, '--range', '20-'], { env })), stdout: '' });
  });
});
