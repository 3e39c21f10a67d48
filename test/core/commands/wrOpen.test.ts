import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { requestWords } from '../../words/requests.ts';

const app = 'https://desk.example/work/:workRequest';

/** A service with one record, and a PATH with an opener that writes down what it is given. */
async function desk(urls: object | undefined, { opener = 'xdg-open', exitCode = 0 } = {}) {
  const folder = temporaryFolder();
  const log = path.join(folder, 'opened');
  const script = path.join(folder, opener);
  const lines = [
    '#!/bin/sh',
    `{ for word in "$@"; do printf '%s\\n' "$word"; done; env; } > ${log}.part`,
    `/bin/mv ${log}.part ${log}`,
    `exit ${exitCode}`,
  ];
  writeFileSync(script, lines.join('\n'), { mode: 0o755 });
  const server = await recordingServer(JSON.stringify({ _id: 'wr-1', urls }));
  return {
    env: { ...server.env, PATH: `${folder}:/usr/bin` },
    folder,
    opened: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : undefined),
  };
}

const open = (...more: string[]) => ['wr', 'open', 'wr-1', ...more];
const url = 'https://desk.example/work/wr-1';

describe('wr open', () => {
  it('opens the page with the work request filled in, and gives the browser no secret', async () => {
    const { env, opened } = await desk({ view: app });
    expect(await mar(open(), { env })).toEqual({ code: 0, stdout: `Opened ${url}\n`, stderr: '' });
    expect(opened()?.[0]).toBe(url);
    // The browser gets neither the token nor any other variable of mar.
    expect(opened()?.join('\n')).toContain('PATH=');
    expect(opened()?.join('\n')).not.toMatch(/MAR_|s3cret/);
  });

  it.each([
    // A shell would read it otherwise.
    ["https://d.example/a?b=1&c=$(touch x)';#", 'https://d.example/a?b=1&c=$(touch%20x)%27;#'],
    ['http://127.0.0.1:8080/:workRequest', 'http://127.0.0.1:8080/wr-1'],
    ['http://localhost/:workRequest', 'http://localhost/wr-1'],
  ])('of %j opens %s', async (view, address) => {
    const { env, opened } = await desk({ view });
    expect((await mar(open(), { env })).code).toBe(0);
    expect(opened()?.[0]).toBe(address);
  });

  it('obeys BROWSER', async () => {
    const { env, folder, opened } = await desk({ view: app }, { opener: 'fox' });
    const BROWSER = `${folder}/fox --new`;
    expect((await mar(open(), { env: { ...env, BROWSER } })).code).toBe(0);
    expect(opened()?.slice(0, 2)).toEqual(['--new', url]);
  });

  it.each([
    ['that is not there', { opener: 'other' }, 'xdg-open is not installed'],
    ['that fails', { exitCode: 3 }, 'xdg-open failed (3)'],
  ])('an opener %s is an error that has the address', async (_, opener, said) => {
    const { env, folder } = await desk({ view: app }, opener);
    const stderr = await failure(1, mar(open(), { env: { ...env, PATH: folder } }));
    expect(stderr).toContain(said);
    expect(stderr).toContain(url);
    const { stderr: json } = await mar(open('--json'), { env: { ...env, PATH: folder } });
    expect(JSON.parse(json).error.kind).toBe('local');
  });

  it('--print prints the address and opens nothing', async () => {
    const { env, opened } = await desk({ view: app });
    expect(await mar(open('--print'), { env })).toEqual({
      code: 0,
      stdout: `${url}\n`,
      stderr: '',
    });
    const json = JSON.parse((await mar(open('--print', '--json'), { env })).stdout);
    expect(json).toEqual({ id: 'wr-1', url });
    expect(opened()).toBeUndefined();
  });
});

describe('wr open does not open', () => {
  it('a page that the record does not name', async () => {
    const { env, opened } = await desk({ invite: app });
    await failure(5, mar(open(), { env }));
    expect(opened()).toBeUndefined();
  });

  it.each([
    ['http://desk.example/:workRequest', requestWords.notHttps],
    ['file:///etc/passwd', requestWords.notHttps],
    ['javascript:alert(1)', requestWords.notHttps],
    ['https://ann:pw@desk.example/', 'user name or password'],
    ['/requests/:workRequest', requestWords.notComplete],
    ['-n', requestWords.notComplete],
    [`${app}/:code`, ' :code'],
  ])('%s', async (view, said) => {
    const { env, opened } = await desk({ view });
    for (const argv of [open(), open('--print')]) {
      const stderr = await failure(1, mar(argv, { env }));
      expect(stderr).toContain(said);
      expect(stderr).not.toContain('pw@');
    }
    expect(opened()).toBeUndefined();
  });
});
