import { describe, expect, it } from 'vitest';
import { mar, type Outcome, temporaryFolder } from '../../harness/mar.ts';
import { marWith } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { hostile, liveControls } from './samples.ts';

/** Control characters that a terminal would obey, except line breaks. */
const live = ({ stdout, stderr }: Outcome) =>
  `${stdout}\n${stderr}`.split('\n').flatMap((line) => liveControls(line));

const terminal = { columns: 80 };

/** A run on a terminal, which must show nothing that the terminal would obey. */
async function harmless(
  responses: Parameters<typeof marWith>[0],
  argv: readonly string[],
  columns = 80,
) {
  const run = await marWith(responses, argv, { columns });
  expect(live(run)).toEqual([]);
  return run;
}

const get = ['asset', 'get', 'a-1', '--no-color'];
const all = hostile.join(' | ');

/** A text in every place of an asset that is shown, keys included. */
const asset = (text: string) => ({
  _id: text,
  name: text,
  type: text,
  usage: { [text]: true },
  workflow: { phase: text },
  previews: [{ _id: text, label: text, language: text }],
  [text]: { [text]: [text] },
});

describe('what a terminal would obey', () => {
  it.each([...hostile, all])('is no more than text in a card: %j', async (text) => {
    expect((await harmless(JSON.stringify(asset(text)), get)).code).toBe(0);
  });

  it('is no more than text under picked columns', async () => {
    const argv = [...get, '--columns', 'name,usage,previews,["x\x1b[31m"]'];
    await harmless(JSON.stringify(asset(all)), argv);
    await harmless(JSON.stringify(asset(all)), [...argv, 'a-2']);
  });

  it.each([...hostile, all])('is no more than text in a warning: %j', async (text) => {
    const run = await harmless(JSON.stringify({ $links: { [text]: 5 } }), get);
    expect(run.stderr).toContain('warning');
  });

  it('is no more than text in what mar repeats of its command line', async () => {
    for (const argv of [['\x1b[2J'], ['asset', '\x9b2J'], ['--\x1b'], ['-o', '\x1b', 'whoami']]) {
      const run = await mar([...argv, '--no-color'], terminal);
      expect(run.code).toBe(2);
      expect(live(run)).toEqual([]);
    }
  });

  it('is no more than text in what MAR_DEBUG adds to an error', async () => {
    const { env } = await recordingServer({ status: 409, body: JSON.stringify({ message: all }) });
    const run = await mar(get, { env: { ...env, MAR_DEBUG: '1' }, ...terminal });
    expect(run.stderr).toContain('    at ');
    expect(live(run)).toEqual([]);
  });
});

describe('the same in JSON', () => {
  it.each(['--json', '--jsonl'])('survives %s as escapes, with nothing live', async (flag) => {
    const run = await harmless(JSON.stringify(asset(all)), [...get, flag]);
    expect(JSON.parse(run.stdout)).toEqual(asset(all));
  });

  it.each([true, false])('is only text in the output of login, as JSON: %s', async (isJson) => {
    const { baseUrl } = await recordingServer(JSON.stringify({ token: 't', email: all }));
    const argv = ['login', '--email', 'a@b', '--password-stdin', '--insecure-storage'];
    const env = { MAR_BASE_URL: baseUrl, MAR_CONFIG_DIR: temporaryFolder() };
    const format = isJson ? '--json' : '--no-color';
    const run = await mar([...argv, format], { env, stdin: 'x', ...terminal });
    if (isJson) expect(JSON.parse(run.stdout).email).toBe(all);
    expect(live(run)).toEqual([]);
  });

  it('survives where a password is hidden', async () => {
    const list = JSON.stringify([{ name: all, password: all }]);
    const run = await harmless(list, ['user', 'list', '--json']);
    expect(JSON.parse(run.stdout)).toEqual([{ name: all, password: '[redacted]' }]);
  });

  it('survives in an error, with nothing live on the terminal', async () => {
    const headers = ['X-Request-Id: \u009b31m'];
    const body = JSON.stringify({ message: all });
    const run = await harmless({ status: 409, headers, body }, [...get, '--json']);
    expect(run.code).toBe(3);
    expect(JSON.parse(run.stderr).error.message).toContain(all);
  });
});

describe('a response that is deep beyond reason', () => {
  const levels = 50_000;
  const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it('is an error of the service with the code for its status', async () => {
    const run = await marWith({ status: 404, body: deep }, get);
    expect(run).toMatchObject({ code: 5, stdout: '' });
  });

  it('is printed as JSON all the same', async () => {
    expect(await marWith(`{"x":${deep}}`, [...get, '--json'])).toMatchObject({
      code: 0,
      stdout: `{"x":${deep}}\n`,
    });
  });
});
