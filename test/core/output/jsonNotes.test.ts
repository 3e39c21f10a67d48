import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../harness/jsonLines.ts';
import { mar } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { recordService } from '../../harness/recordService.ts';

const french = JSON.stringify({
  _id: 'wr-1',
  language: 'fra',
  territory: 'FRA',
  instructions: 'En français',
  asset: { _id: 'a-1' },
  uses: { items: ['online'] },
});

describe('a warning for a program', () => {
  it('has a code, and the fields that it is about', async () => {
    const records = { '/workrequests/wr-1': french, '/assets/a-1': '{"_id":"a-1"}' };
    const { env } = await recordService(records);
    const argv = ['wr', 'create', '--like', 'wr-1', '--language', 'deu', '--dry-run'];
    expect(await linesOf(argv, env)).toMatchObject([
      { warning: { code: 'not-copied', fields: [{ path: '_id' }] } },
      {
        warning: {
          code: 'other-language',
          message: expect.stringContaining('FRA'),
          fields: [{ path: 'territory', value: 'FRA' }, { path: 'instructions' }],
        },
      },
    ]);
  });

  it('names the unknown fields of a record', async () => {
    const { env } = await recordingServer('{"_id":"wr-9"}');
    const argv = ['wr', 'create', '--skip-checks', '--set', 'zzzz=1', '--set', 'status=new'];
    const lines = await linesOf(argv, env);
    expect(lines).toMatchObject([
      { warning: { code: 'unknown-field', fields: [{ path: 'zzzz' }] } },
    ]);
  });
});

it('a created record is printed, though one of its columns is unknown', async () => {
  const { env } = await recordingServer('{"_id":"wr-9"}');
  const argv = ['wr', 'create', '--skip-checks', '--set', 'language=fra', '-o', 'csv'];
  const { stdout } = await mar([...argv, '--columns', '_id,nope'], { env });
  expect(stdout).toBe('_id,nope\r\nwr-9,\r\n');
});

it('every warning is printed with its code', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .filter((file) =>
      /reportOnce\(\s*[`']warning: /.test(readFileSync(path.join('src', file), 'utf8')),
    );
  expect(found).toEqual([]);
});

describe('with --json, standard error has only JSON', () => {
  it('for --debug', async () => {
    const { env } = await recordingServer('{"_id":"a-1"}');
    const lines = await linesOf(['asset', 'get', 'a-1', '--debug'], env);
    expect(lines).toMatchObject([
      { note: { code: 'trace', message: expect.stringMatching(/^> GET /) } },
      { note: { code: 'trace', message: expect.stringMatching(/^< 200 /) } },
    ]);
  });

  it('for the stack of an error', async () => {
    const { env } = await recordingServer({ status: 400, body: '{}' });
    const lines = await linesOf(['asset', 'get', 'a-1'], { ...env, MAR_DEBUG: '1' });
    expect(lines.at(-1)).toMatchObject({ error: { kind: 'refused', stack: expect.any(String) } });
  });
});
