import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { printJson } from '../../src/core/json/value.ts';
import { demoSeed } from '../../src/modules/sandbox/seed/demoData.ts';
import { type Sandbox, startSandbox } from '../../src/modules/sandbox/start.ts';
import { hostile, liveControls } from '../core/output/samples.ts';
import { mar, marOk } from '../harness/mar.ts';
import { recordService } from '../harness/recordService.ts';
import { tokenOf } from '../modules/sandbox/harness.ts';
import { hostileRequest, hostileWorkflow, wideRequests } from './wideRecords.ts';

/*
 * Snapshots of the screen, as text files to look at: snapshots/80/wr-get.txt. The records are those of
 * the sandbox, and the time stands still.
 */

const now = new Date('2026-03-10T09:30:00Z');
const widths = [40, 80, 120] as const;
/** What changes most with the width; all others are shown at 80 columns. */
const atEachWidth = ['wr-get', 'wr-get-several', 'wr-history', 'asset-workflow'];

/** The sandbox's own record, to be written back. */
function stored(id: string): string {
  const found = [...demoSeed(now.getTime(), 0)].find((one) => one.id === id);
  if (!found) throw new Error(`the demo data has no ${id}`);
  return printJson(found.record);
}

const wr = ['wr', 'get'];
/** Each kind of card and list, by the name of its files; the record to write, if it is a write. */
const commands: Record<string, { line: readonly string[]; writes?: string }> = {
  'wr-get': { line: [...wr, 'wr-2002'] },
  'wr-get-done': { line: [...wr, 'wr-2003'] },
  'wr-get-urgent': { line: [...wr, 'wr-2009'] },
  'wr-get-several': { line: [...wr, 'wr-2001', 'wr-2002', 'wr-2003', 'wr-2004', 'wr-2005'] },
  'wr-history': { line: ['wr', 'history', 'wr-2004'] },
  'wr-history-done': { line: ['wr', 'history', 'wr-2003'] },
  'asset-workflow': { line: ['asset', 'workflow', 'a-1001'] },
  'asset-get': { line: ['asset', 'get', 'a-1001'] },
  'asset-get-several': { line: ['asset', 'get', 'a-1001', 'a-1008', 'a-1011'] },
  'asset-workflow-notify': { line: ['asset', 'workflow-notify'] },
  'notification-show': { line: ['notification', 'show', 'n-3001'] },
  'notification-show-several': { line: ['notification', 'show', 'n-3001', 'n-3002'] },
  'user-list': { line: ['user', 'list'] },
  'user-put': { line: ['user', 'put', 'u-haruka', '-f', '-'], writes: 'u-haruka' },
  'file-list': { line: ['file', 'list'] },
  'file-upload-meta': {
    line: ['file', 'upload-meta', '--show', '-f', '-', '--set', '_id=$id'],
    writes: 'f-1001-master',
  },
  'translation-submit': {
    line: [
      ...['translation', 'submit', '--show', '--set', '_id=$id', '--set', 'workRequest=wr-2001'],
      ...['--set', 'asset=a-1001', '--set', 'language=fra', '--set', 'status=submitted'],
    ],
  },
  'offline-put': { line: ['offline', 'put', 'o-6001', '-f', '-'], writes: 'o-6001' },
  'preview-put': { line: ['preview', 'put', '-f', '-'], writes: 'pv-1001-1' },
  'event-put': { line: ['event', 'put', '-f', '-'], writes: 'e-4001' },
  'downloads-list': { line: ['downloads', 'list'] },
  'downloads-summary-day': { line: ['downloads', 'list', '--summary', 'day'] },
  'downloads-summary-project': { line: ['downloads', 'list', '--summary', 'project'] },
  'downloads-summary-asset': { line: ['downloads', 'list', '--summary', 'asset'] },
  'downloads-summary-user': { line: ['downloads', 'list', '--summary', 'user'] },
  'downloads-summary-type': { line: ['downloads', 'list', '--summary', 'type'] },
};

let sandbox: Sandbox;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  vi.useFakeTimers({ toFake: ['Date'], now });
  folder = await mkdtemp(path.join(tmpdir(), 'mar-views-'));
  sandbox = await startSandbox({ dataDir: folder, downloads: 300, port: 0 });
  const account = { MAR_EMAIL: sandbox.email, MAR_TOKEN: await tokenOf(sandbox) };
  env = { MAR_BASE_URL: sandbox.baseUrl, ...account };
});

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

async function see(
  line: readonly string[],
  width: number,
  given: Record<string, string>,
  stdin = '',
) {
  const run = await marOk(line, { env: { ...given, NO_COLOR: '1' }, columns: width, stdin });
  for (const shown of run.stdout.split('\n')) {
    expect(stringWidth(shown)).toBeLessThanOrEqual(width);
    expect(liveControls(shown)).toEqual([]);
  }
  return run;
}

/** A command line with what it prints. */
async function screen(...[line, ...rest]: Parameters<typeof see>) {
  const run = await see(line, ...rest);
  const stderr = run.stderr.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT');
  const notes = stderr === '' ? '' : `\n--- standard error\n${stderr}`;
  return `$ mar ${line.join(' ')}\n${run.stdout}${notes}`;
}

describe.each(widths)('at %i columns', (width) => {
  const shown = Object.entries(commands).filter(
    ([name]) => width === 80 || atEachWidth.includes(name),
  );

  it.each(shown)('%s looks as in its snapshot', async (name, command) => {
    const line = command.line.map((part) => part.replace('$id', `x-${width}`));
    const stdin = command.writes && stored(command.writes);
    const shown = await screen(line, width, env, stdin);
    await expect(shown).toMatchFileSnapshot(`./snapshots/${width}/${name}.txt`);
  });

  it('names of every script keep their columns', async () => {
    const records = wideRequests.map((one) => [`/workrequests/${one._id}`, JSON.stringify(one)]);
    const service = await recordService(Object.fromEntries(records));
    const ids = wideRequests.map(({ _id }) => _id);
    const { stdout } = await see([...wr, ...ids], width, service.env);
    for (const id of ids) expect(stdout).toContain(id);
    await expect(stdout).toMatchFileSnapshot(`./snapshots/${width}/wide-names.txt`);
  });

  it('a record of undocumented shapes and hostile texts is a card all the same', async () => {
    const service = await recordService({ '/workrequests/x': JSON.stringify(hostileRequest) });
    const { stdout } = await see([...wr, 'x'], width, service.env);
    await expect(stdout).toMatchFileSnapshot(`./snapshots/${width}/hostile-record.txt`);
  });

  it.each([
    ['wr', 'history', 'x'],
    ['asset', 'workflow', 'a'],
  ])('mar %s %s draws nothing beyond its width, and obeys nothing', async (...line) => {
    const asset = { name: hostile[3], workflow: hostileWorkflow };
    const service = await recordService({
      '/workrequests/x': JSON.stringify({ ...hostileRequest, asset }),
      '/assets/a': JSON.stringify(asset),
    });
    await see(line, width, service.env);
  });
});

describe('in colour', () => {
  it.each(['wr-get', 'wr-get-several', 'wr-history', 'asset-workflow'])(
    '%s says the same words as without',
    async (name) => {
      const { line } = commands[name] ?? { line: [] };
      const plain = await see(line, 80, env);
      const painted = await mar(line, { env, columns: 80 });
      expect(painted.stdout).not.toBe(plain.stdout);
      expect(stripVTControlCharacters(painted.stdout)).toBe(plain.stdout);
    },
  );
});
