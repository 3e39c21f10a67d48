import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentRange, listService } from '../../harness/listService.ts';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { cleanEnvironment, startProgram } from '../../harness/program.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { outputWords } from '../../words/output.ts';

const all = ['file', 'list', '--all', '--columns', '_id'];
const idsOf = (stdout: string) => stdout.trimEnd().split('\n');
const ids = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `f-${from + index}`);

describe('--all', () => {
  it('asks for a hundred at a time, several pages side by side, over kept connections', async () => {
    const service = await listService({ size: 1250 });
    const run = await mar(all, service);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(idsOf(run.stdout)).toEqual(ids(0, 1250));
    expect(service.ranges.slice(0, 2)).toEqual(['0-99', '100-199']);
    expect(service.connections).toBeLessThanOrEqual(5);
  });

  it('leaves nothing behind on a connection that it keeps', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(warning.name);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    await mar([...all, '--page-size', '10'], await listService({ size: 1000 }));
    // A warning is told a turn later.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it.each([
    ['Content-Range', contentRange(200)],
    ['X-Total-Count', () => ({ 'X-Total-Count': '200' })],
  ])('ends at the total of %s, without another request', async (_name, headers) => {
    const service = await listService({ size: 200, headers });
    expect(idsOf((await mar(all, service)).stdout)).toEqual(ids(0, 200));
    expect(service.ranges).toEqual(['0-99', '100-199']);
  });

  it('follows a service that caps its pages', async () => {
    const service = await listService({ size: 333, cap: 30 });
    const run = await mar(all, service);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(idsOf(run.stdout)).toEqual(ids(0, 333));
  });

  it('ends where the service refuses a range behind the last record', async () => {
    const server = await recordingServer('[{"_id":"f-0"},{"_id":"f-1"}]', { status: 416 });
    const run = await mar([...all, '--page-size', '2'], server);
    expect(run, run.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(idsOf(run.stdout)).toEqual(ids(0, 2));
  });

  it('fails when the list ends before its total', async () => {
    const service = await listService({ size: 150, headers: contentRange(500) });
    const run = await mar(all, service);
    expect(run.code).toBe(1);
    expect(idsOf(run.stdout)).toEqual(ids(0, 150));
    expect(run.stderr).toContain('500 records');
  });

  it('warns of records that came twice because the list moved, and counts them', async () => {
    // Three records were added in front after the first page.
    const record = (index: number) => ({ _id: `f-${index < 100 ? index : index - 3}` });
    const run = await mar(all, await listService({ size: 350, record }));
    expect(run.code).toBe(0);
    expect(idsOf(run.stdout)).toHaveLength(350);
    expect(run.stderr).toBe(`warning: ${outputWords.listChanged('3 records')}\n`);
  });

  it('prints a message in the middle of an array on a line of its own, on a terminal', async () => {
    const record = (index: number) => ({ _id: `f-${index % 4}` });
    const argv = ['file', 'list', '--limit', '5', '--page-size', '3', '--json'];
    const piped = await mar(argv, await listService({ size: 5, record }));
    expect(piped.stderr).toMatch(/^\{"warning":/);
    const run = await mar(argv, { ...(await listService({ size: 5, record })), columns: 80 });
    expect(run.stderr).toMatch(/^\nwarning: .*\n/);
    expect(run.stdout).toMatch(/\}\]\n$/);
    expect(JSON.parse(run.stdout)).toHaveLength(5);
  });

  it('stops when the service goes round in circles', async () => {
    const record = (index: number) => ({ _id: `f-${index % 300}`, index });
    const run = await mar(all, await listService({ size: 1_000_000, record }));
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(`--range ${idsOf(run.stdout).length}-`);
  });
});

describe('a list that breaks off', () => {
  const failingAt = (place: number, status: number, size = 1000) =>
    listService({
      size,
      record: (index) => ({ _id: `f-${index}`, created: Date.now() }),
      onPage(from, response) {
        if (from < place) return;
        response.statusCode = status;
        response.end('{}');
      },
    });
  const flags = ['--columns', '_id', '--retries', '0'];

  it.each([
    ['--all', [], '300-'],
    ['--limit 450', [], '300-449'],
    ['--range 50-', ['--page-size', '50'], '300-'],
    ['--range 0-899', ['--page-size', '100'], '300-899'],
  ])('with %s shows how far it came, and how to go on', async (flag, more, rest) => {
    const argv = ['file', 'list', ...flag.split(' '), ...more, ...flags];
    const run = await mar(argv, await failingAt(300, 403));
    const start = flag === '--range 50-' ? 50 : 0;
    expect(run.code).toBe(4);
    expect(idsOf(run.stdout)).toEqual(ids(start, 300));
    expect(run.stderr).toContain(outputWords.listStopped(`${300 - start} records`, rest));
  });

  it.each([['--summary type'], ['--summary type --since 2d'], ['--all --jq-slurp length']])(
    'with %s does not send one after a rest, since nothing was printed',
    async (typed) => {
      const argv = ['downloads', 'list', ...typed.split(' '), '--retries', '0'];
      const run = await mar(argv, await failingAt(200, 403));
      expect(run).toMatchObject({ code: 4, stdout: '' });
      expect(run.stderr).not.toContain('--range');
    },
  );

  it('is completed by the command that it prints', async () => {
    const broken = await mar([...all, '--retries', '0'], await failingAt(300, 500));
    const [, rest = ''] = / (--range .*)/.exec(broken.stderr) ?? [];
    const service = await listService({ size: 1000 });
    const run = await mar(['file', 'list', ...rest.split(' '), '--columns', '_id'], service);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(idsOf(broken.stdout + run.stdout)).toEqual(ids(0, 1000));
  });
});

describe('--range', () => {
  it('without an end is everything from there', async () => {
    const service = await listService({ size: 250 });
    const run = await mar(['file', 'list', '--range', '120-', '--columns', '_id'], service);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(idsOf(run.stdout)).toEqual(ids(120, 250));
  });

  it('is sent as it is, and followed when the service gives less', async () => {
    const service = await listService({ size: 1000, cap: 100 });
    const run = await mar(['file', 'list', '--range', '5-254', '--columns', '_id'], service);
    expect(idsOf(run.stdout)).toEqual(ids(5, 255));
    expect(service.ranges).toEqual(['5-254', '105-254', '205-254']);
  });

  it('is asked for in pages with --page-size, of api too', async () => {
    const service = await listService({ size: 1000 });
    const argv = ['api', 'GET', '/files/_slug', '--range', '10-29', '--page-size', '10', '--jsonl'];
    expect((await mar(argv, service)).stdout.trimEnd().split('\n')).toHaveLength(20);
    expect(service.ranges).toEqual(['10-19', '20-29']);
  });
});

describe('--page-size', () => {
  it('alone divides the usual ten', async () => {
    const service = await listService({ size: 1000 });
    const run = await mar(['file', 'list', '--page-size', '4', '--columns', '_id'], service);
    expect(idsOf(run.stdout)).toEqual(ids(0, 10));
    expect(service.ranges).toEqual(['0-3', '4-7', '8-9']);
    expect(run.stderr).toBe(`${outputWords.mayHaveMore('10 records')}\n`);
  });
});

describe('a list that was cut', () => {
  const note = `${outputWords.hasMore('10', '1,050 records')}\n`;
  it.each([
    [1050, [], note],
    [1050, ['--page-size', '4'], note],
    [1050, ['--range', '20-24'], ''],
    [1050, ['--limit', '20'], ''],
    [1050, ['--jsonl'], ''],
    [1050, ['--all'], ''],
    [9, [], ''],
    [9, ['--limit', '10'], ''],
    [9, ['--range', '5-14'], ''],
  ])(
    '(of %i) with %j shows how many there are, unless the user chose',
    async (size, flags, stderr) => {
      const service = await listService({ size, headers: contentRange(size) });
      expect(await mar(['file', 'list', ...flags], service)).toMatchObject({ code: 0, stderr });
    },
  );
});

describe('pages that nobody wants any more', () => {
  it('are given up when the reader goes away, without a word', async () => {
    const service = await listService({
      size: 1_000_000,
      onPage: (from) => (from < 2000 ? undefined : new Promise(() => {})),
    });
    const child = startProgram([...all], cleanEnvironment(temporaryFolder(), service.env));
    let stderr = '';
    child.stderr?.on('data', (data) => {
      stderr += data;
    });
    child.stdout?.once('data', () => child.stdout?.destroy());
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await service.released();
  });

  it('are not even asked for while the reader does not read', async () => {
    const name = 'x'.repeat(10_000);
    const record = (index: number) => ({ _id: `${index}`, name });
    const service = await listService({ size: 10_000, record });
    const argv = ['file', 'list', '--all', '--jsonl'];
    const child = startProgram(argv, cleanEnvironment(temporaryFolder(), service.env));
    await service.requested('100-199');
    await service.released();
    // Whoever would go on has had the time for it once another list was read from end to end.
    await mar(['file', 'list', '--limit', '490', '--page-size', '7'], service);
    // Concurrent requests arrive in any order.
    const requested = service.ranges.filter((range) => range.endsWith('99')).sort();
    expect(requested).toEqual(['0-99', '100-199']);
    child.stdout?.destroy();
    await once(child, 'close');
  });
});
