import { describe, expect, it } from 'vitest';
import { listsService } from '../../harness/listsService.ts';
import { mar } from '../../harness/mar.ts';
import { outputWords } from '../../words/output.ts';

const file = (at: number, more = {}) => ({ _id: `f-${at}`, name: `n${at}`, ...more });
const files = [
  file(1, { asset: 'a-1', language: 'fra', tags: ['Master', 'audio'], created: 30 }),
  file(2, { asset: { _id: 'a-1' }, language: 'deu', name: 'Éclair Trailer', created: 4 }),
  file(3, { asset: 'a-2', language: 'FRA', tags: ['master'], name: 'trailer 10' }),
  ...Array.from({ length: 200 }, (_, at) => file(at + 10)),
  file(500, { asset: 'a-2', name: 'trailer 9', created: 100 }),
];
const users = [
  { _id: 'u-1', name: 'Inês' },
  { _id: 'u-2', name: 'Tom' },
];

async function prepare() {
  const service = await listsService({ '/files/_slug': files, '/session': users });
  const run = (argv: string[]) => mar(argv, service);
  const ids = async (...argv: string[]) =>
    (await run([...argv, '--jq', '._id'])).stdout.split('\n').filter(Boolean);
  return { ...service, run, ids };
}

describe('a filter of mar itself', () => {
  it.each([
    ['--asset a-1', 'f-1 f-2'],
    ['--asset //h.example/api/assets/a-2', 'f-3 f-500'],
    ['--language fra', 'f-1 f-3'],
    ['--tag MASTER', 'f-1 f-3'],
    ['--tag master --tag audio', 'f-1'],
    ['--name ECLAIR', 'f-2'],
    ['--name trailer --asset a-2', 'f-3 f-500'],
    ['--name trailer --limit 2', 'f-2 f-3'],
    ['--name trailer --range 0-1', 'f-2'],
  ])('file list %s prints the matches of the whole list: %s', async (flags, expected) => {
    const { ids } = await prepare();
    expect(await ids('file', 'list', ...flags.split(' '))).toEqual(expected.split(' '));
  });

  it('shows how many match, and stops reading at --limit', async () => {
    const { run, requests } = await prepare();
    const found = await run(['file', 'list', '--name', 'trailer', '--columns', '_id']);
    expect(found.stderr).toMatch(/3 of 204 .*--name trailer$/m);
    requests.length = 0;
    await run(['file', 'list', '--asset', 'a-1', '--limit', '1', '--page-size', '2']);
    expect(requests.length).toBeLessThan(20);
  });

  it('names the languages of the files if none has the wanted one', async () => {
    const { run } = await prepare();
    const noteOf = async (...flags: string[]) => (await run(['file', 'list', ...flags])).stderr;
    const known = outputWords.knownLanguages;
    expect(await noteOf('--language', 'spa')).toContain(`${known}: FRA, deu, fra`);
    expect(await noteOf('--name', 'zzz')).not.toContain(known);
    expect(await noteOf('--language', 'deu')).not.toContain(known);
  });

  it('user list --name finds users without case and accents', async () => {
    const { ids } = await prepare();
    expect(await ids('user', 'list', '--name', 'INES')).toEqual(['u-1']);
  });
});
