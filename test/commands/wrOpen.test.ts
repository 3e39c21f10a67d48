import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFolder } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';

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

describe('wr open', () => {
  it('opens the page with the work request filled in, and gives the browser no secret', async () => {
    const { env, opened } = await desk({ view: app });
    const run = await mar(open(), { env });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toBe('Opened https://desk.example/work/wr-1\n');
    expect(opened()?.[0]).toBe('https://desk.example/work/wr-1');
    // The browser gets neither the token nor any other variable of mar.
    expect(opened()?.join('\n')).toContain('PATH=');
    expect(opened()?.join('\n')).not.toMatch(/MAR_|s3cret/);
  });

  it.each([['manage'], ['translate']])('opens the page %s when asked to', async (page) => {
    const { env, opened } = await desk({ view: app, [page]: `${app}/${page}` });
    expect((await mar(open('--page', page), { env })).code).toBe(0);
    expect(opened()?.[0]).toBe(`https://desk.example/work/wr-1/${page}`);
  });

  it('passes on an address that a shell would read otherwise, as one word', async () => {
    const { env, opened } = await desk({ view: "https://desk.example/a?b=1&c=$(touch x)';#" });
    expect((await mar(open(), { env })).code).toBe(0);
    expect(opened()?.[0]).toBe('https://desk.example/a?b=1&c=$(touch%20x)%27;#');
  });

  it('obeys BROWSER, with %s for the address, and takes the next where one is not there', async () => {
    const { env, folder, opened } = await desk({ view: app }, { opener: 'fox' });
    const browser = `no-such-browser:${folder}/fox --tab=%s --new`;
    expect((await mar(open(), { env: { ...env, BROWSER: browser } })).code).toBe(0);
    expect(opened()?.slice(0, 2)).toEqual(['--tab=https://desk.example/work/wr-1', '--new']);
  });

  it.each([
    ['that is not there', { opener: 'other' }, 'xdg-open is not installed'],
    ['that fails', { exitCode: 3 }, 'xdg-open failed (3)'],
  ])('an opener %s is an error that has the address', async (_, opener, said) => {
    const { env, folder } = await desk({ view: app }, opener);
    const run = await mar(open(), { env: { ...env, PATH: folder } });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(said);
    expect(run.stderr).toContain('https://desk.example/work/wr-1');
  });
});

describe('wr open --print', () => {
  it('prints the address and opens nothing', async () => {
    const { env, opened } = await desk({ view: app });
    const run = await mar(open('--print'), { env });
    expect(run).toEqual({ code: 0, stdout: 'https://desk.example/work/wr-1\n', stderr: '' });
    expect(opened()).toBeUndefined();
  });

  it('is facts for programs', async () => {
    const { env } = await desk({ view: app });
    const run = await mar(open('--print', '--json'), { env });
    const url = 'https://desk.example/work/wr-1';
    expect(JSON.parse(run.stdout)).toEqual({ id: 'wr-1', page: 'view', url, missing: [] });
  });

  it('shows what it could not fill in', async () => {
    const { env } = await desk({ invite: `${app}/:code` });
    const run = await mar(open('--page', 'invite', '--print'), { env });
    expect(run).toMatchObject({ code: 0, stdout: 'https://desk.example/work/wr-1/:code\n' });
    expect(run.stderr).toContain('needs :code');
  });
});

describe('wr open does not open', () => {
  it('an address that it cannot fill in', async () => {
    const { env, opened } = await desk({ invite: `${app}/:code` });
    const run = await mar(open('--page', 'invite'), { env });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('needs :code, which the work request does not contain');
    expect(opened()).toBeUndefined();
  });

  it.each([
    ['http://desk.example/:workRequest', 'does not use https'],
    ['file:///etc/passwd', 'does not use https'],
    ['javascript:alert(1)', 'does not use https'],
    ['https://ann:pw@desk.example/', 'contains a user name or password'],
    ['/work/:workRequest', 'is not a complete URL'],
    ['-n', 'is not a complete URL'],
  ])('%s', async (view, said) => {
    const { env, opened } = await desk({ view });
    for (const more of [[], ['--print']]) {
      const run = await mar(open(...more), { env });
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toContain(said);
      expect(run.stderr).not.toContain('pw@');
    }
    expect(opened()).toBeUndefined();
  });

  it('a page that the record does not name', async () => {
    const { env } = await desk({ view: app });
    const run = await mar(open('--page', 'manage'), { env });
    expect(run.code).toBe(5);
    expect(run.stderr).toContain('Its pages: view');
  });

  it.each([['http://127.0.0.1:8080/:workRequest'], ['http://localhost/:workRequest']])(
    'but it does open %s: it is on this machine',
    async (view) => {
      const { env, opened } = await desk({ view });
      expect((await mar(open(), { env })).code).toBe(0);
      expect(opened()?.[0]).toBe(view.replace(':workRequest', 'wr-1'));
    },
  );
});
