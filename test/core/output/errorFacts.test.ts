import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asMarError } from '../../../src/core/errors.ts';
import {
  type Fault,
  faultyServer,
  fullResponse,
  reset,
  respond,
  sendAndClose,
  silence,
} from '../../harness/faultyServer.ts';
import { mar } from '../../harness/mar.ts';
import { account, recordingServer } from '../../harness/recordingServer.ts';
import { outputWords } from '../../words/output.ts';

const get = ['asset', 'get', 'a-1', '--retries', '0'];
const create = ['wr', 'create', '--skip-checks', '--set', 'language=fra'];

/** The error that a program gets on standard error. */
async function errorOf(argv: readonly string[], env?: Record<string, string>) {
  const { stderr } = await mar(['--json', ...argv], { env });
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;
}

/** Only what a program needs to decide about another try. */
async function decisionOf(...run: Parameters<typeof errorOf>) {
  const { kind, outcome, retryable, cause } = await errorOf(...run);
  return { kind, outcome, retryable, cause };
}

it.each([
  [create.concat('--set', 'due.date=31/02/2026')],
  [['wr', 'create', '--due', 'soonish']],
  [['wr', 'get', 'wr-1', '--jsn']],
  [['asset', 'put', 'a-1', '--set', 'usage.online=maybe']],
])('every field of an error is documented: %j', async (argv) => {
  const { env } = await recordingServer('{"_id":"a-1","usage":{"online":true}}');
  const docs = readFileSync('docs/exit-codes.md', 'utf8');
  const { kind, exitCode, message, ...others } = await errorOf(argv, env);
  expect({ kind, exitCode, message }).toMatchObject({ kind: 'usage', exitCode: 2 });
  for (const name of Object.keys(others)) {
    expect(docs, name).toMatch(new RegExp(`^\\|[^|]*\`${name}\`[^|]*\\|`, 'm'));
  }
});

it('has the whole time that the service asks to wait, if it is longer than a timer too', async () => {
  const headers = [`Retry-After: ${100 * 24 * 3600}`];
  const { env } = await recordingServer({ status: 429, headers });
  const { retryAfterMs, hint } = await errorOf(get, env);
  expect(retryAfterMs).toBe(100 * 24 * 3600 * 1000);
  expect(hint).toContain('100 d');
});

it('a failure that nobody thought of is called a bug', () => {
  expect(asMarError(new TypeError('x is null')).message).toContain(outputWords.bug);
});

describe('an error tells a program whether to try again', () => {
  const nothing = { ...account, MAR_BASE_URL: 'http://127.0.0.1:1/api' };

  const half = fullResponse('{"_id":"a-1"}').subarray(0, -4);
  it.each<[name: string, fault: Fault | undefined, facts: object, written: object]>([
    ['a refused connection', undefined, { cause: 'ECONNREFUSED' }, { outcome: 'not-sent' }],
    ['a reset connection', reset, { cause: 'ECONNRESET' }, { retryable: undefined }],
    ['a timeout', silence, { cause: 'timeout' }, { retryable: undefined }],
    ['half a response', sendAndClose(half), { kind: 'service' }, { retryable: undefined }],
  ])('after %s: a read, and a write that was not sent', async (_name, fault, facts, written) => {
    const env = fault ? (await faultyServer(fault)).env : nothing;
    const common = { kind: 'network', retryable: true, ...facts };
    const limit = ['--timeout', '1s'];
    const read = await decisionOf([...get, ...limit], env);
    expect(read).toMatchObject({ ...common, outcome: undefined });
    const decision = await decisionOf([...create, ...limit], env);
    expect(decision).toMatchObject({ ...common, outcome: 'unknown', ...written });
  });

  it.each([
    [400, 'refused', undefined, undefined],
    [422, 'refused', undefined, undefined],
    [412, 'refused', undefined, undefined],
    [429, 'refused', true, true],
    [503, 'unknown', undefined, true],
    [307, 'unknown', undefined, undefined],
  ])('after a status of %i', async (status, outcome, retryWrite, retryRead) => {
    const { env } = await recordingServer({ status, body: '{}' });
    expect(await decisionOf(create, env)).toMatchObject({ outcome, retryable: retryWrite });
    expect(await decisionOf(get, env)).toMatchObject({ outcome: undefined, retryable: retryRead });
  });

  it('has these facts for each of several ids', async () => {
    const { env } = await faultyServer(respond('{}', { status: '503 Busy' }));
    const { errors } = await errorOf(['asset', 'get', 'a-1', 'a-2', '--retries', '0'], env);
    expect(errors).toMatchObject([{ retryable: true }, { retryable: true }]);
  });

  it('names the failure of a file', async () => {
    const error = await errorOf(['wr', 'create', '-f', '/nonexistent/wr.json'], nothing);
    expect(error).toMatchObject({ kind: 'usage', outcome: 'not-sent', cause: 'ENOENT' });
  });
});

describe('an error of the command line names', () => {
  it.each([
    [['asset', 'get', 'a-1', '--colums', '_id'], { flag: '--colums', suggestion: '--columns' }],
    [['asset', 'get', 'a-1', '--bogus'], { flag: '--bogus' }],
    [['aset', 'get', 'a-1'], { value: 'aset', suggestion: 'asset' }],
    [['asset', 'gett', 'a-1'], { value: 'gett', suggestion: 'get' }],
    [['asset', 'get', 'a-1', '--timeout', '30'], { flag: '--timeout', value: '30' }],
    [['asset', 'get', 'a-1', '--retries', 'x'], { flag: '--retries', value: 'x' }],
    [['asset', 'get', 'a-1', '--profile'], { flag: '--profile' }],
    [['file', 'list', '-o', 'jsn'], { value: 'jsn', allowed: expect.arrayContaining(['json']) }],
    [['asset', 'put', '--file', 'a', '--file', 'b'], { flag: '--file', value: 'b' }],
    [['downloads', 'list', '--since=foo'], { flag: '--since', value: 'foo' }],
    [['downloads', 'list', '--created', '31 Feb'], { flag: '--created', value: '31 Feb' }],
    [['file', 'list', '--range', '5-2'], { flag: '--range', value: '5-2' }],
    [['wr', 'create', '-f', 'no-4.json', '--timeout', '4s'], { flag: '-f', value: 'no-4.json' }],
    [['wr', 'create', '--due', '2026-02-30'], { flag: '--due', value: '2026-02-30' }],
    [['schema', 'movie'], { value: 'movie' }],
    [['config', 'set', 'tries', '1'], { value: 'tries' }],
  ])('the flag, the value and what was meant: %j', async (argv, facts) => {
    const error = await errorOf(argv);
    expect(error).toMatchObject({ kind: 'usage', outcome: 'not-sent', ...facts });
    expect(Object.keys(error)).toEqual(expect.arrayContaining(Object.keys(facts)));
  });
});

describe('the facts of an error come from its cause, not from its message', () => {
  const gap = { flag: '--due', value: '2027-03-28T02:30' };
  it.each([
    [['asset', 'get', 'a/../--debug'], { value: 'a/../--debug' }],
    [['asset', 'put', '-x'], { flag: '-x' }],
    [['--jsonl', 'aset'], { value: 'aset' }],
    [['wr', 'gett', 'wr-1'], { value: 'gett' }],
    [['login', '--token-stdin', '--token-command', 'x'], { flag: '--token-stdin' }],
    [['wr', 'create', '--due', '2027-03-28T02:30', '--tz', 'Berlin'], gap],
  ])('%j', async (argv, facts) => {
    const { env } = await recordingServer('{}');
    const { flag, value } = await errorOf(argv, env);
    expect({ flag, value }).toEqual({ flag: undefined, value: undefined, ...facts });
  });

  it.each([
    [['asset', 'get', 'a-1', '--base-url', 'https://me:s3cret@media.example/api']],
    [['offline', 'put', 'u-1', '-f', '-', '--set', 'password.a=s3cret']],
  ])('never show more of a value than the message: %j', async (argv) => {
    const { env } = await recordingServer('{}');
    const { stderr } = await mar(['--json', ...argv], { env, stdin: '{"password":"x"}' });
    expect(JSON.parse(stderr).error).toMatchObject({ kind: 'usage' });
    expect(stderr).not.toContain('s3cret');
  });
});

describe('errors are JSON for a program that reads JSON', () => {
  it.each([
    [['--json', 'aset']],
    [['aset', '--jsonl', '--profile']],
    [['-qo', 'json', 'aset']],
    [['-ojson', 'aset']],
    [['--output-format=jsonl', 'asset', 'get', 'a-1', '--bogus']],
    [['file', 'list', '-o', 'jsn', '--json']],
    [['asset', 'get', 'a-1', '--jq-slurp']],
    [['asset', 'get', 'a-1', '--jq=.', '--timeout', 'x']],
  ])('%j', async (argv) => {
    expect(JSON.parse((await mar(argv)).stderr).error.kind).toBe('usage');
  });

  it.each([
    [['asset', 'get', '--', '--json']],
    [['aset', '-o', 'jsn']],
    [['asset', 'get', 'a-1', '--profile', '--json']],
  ])('and text if the words only look like a flag: %j', async (argv) => {
    expect((await mar(argv)).stderr).toMatch(/^error: /);
  });
});

it('an error of the command line names no flag that only comes before a word of it', async () => {
  const { env } = await recordingServer('{}');
  // Without the check for whole words, `wr` would count as the value of --quiet.
  const error = await errorOf(['--quiet', 'wr', 'create', '--set', 'a..wr-1=1'], env);
  expect(error.message).toContain('wr-1');
  expect(error).not.toMatchObject({ flag: '--quiet' });
});

describe('an error of a field names its value and what was meant', () => {
  it.each([
    ['language', 'frnch', 'fra'],
    ['territory', 'FRNACE', 'FRA'],
    ['due.tz', 'Europe/Pairs', 'Europe/Paris'],
    ['status', 'incomplet', 'incomplete'],
  ])('in %s', async (field, value, suggestion) => {
    const { env } = await recordingServer('{}');
    const whole = ['--asset', 'a-1', '--use', 'online', '--skip-checks=order'];
    const argv = ['wr', 'create', ...whole, '--set', `${field}=${value}`];
    const error = await errorOf(argv, env);
    const message = expect.stringContaining(value);
    expect(error).toMatchObject({ fields: [{ path: field, value, suggestion, message }] });
  });

  it('in a field that is not known', async () => {
    const { env } = await recordingServer('{}');
    const { fields } = await errorOf(['wr', 'create', '--set', 'langauge=fra'], env);
    expect(fields).toMatchObject([{ path: 'langauge', suggestion: 'language' }]);
  });
});
