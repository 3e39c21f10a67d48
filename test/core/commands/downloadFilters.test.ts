import { expect, it } from 'vitest';
import { listsService } from '../../harness/listsService.ts';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { outputWords } from '../../words/output.ts';

const users = [
  { _id: 'u-1', name: 'Inês' },
  { _id: 'u-greta', name: 'Greta Vogel', emailNormal: 'greta@untertitel.example' },
  { _id: 'u-3', name: 'Marc Dubois' },
  { _id: 'u-4', name: 'Marc Dubois' },
];
const download = {
  _id: 'd-1',
  asset: { _id: 'a-1', type: 'trailer.intl' },
  project: { _id: 'p-harbor', name: 'The Harbor Light' },
  user: 'u-greta',
};

/** A service that has one download, and none for any filter. */
async function prepare() {
  const filters = ['type=trailer.intl', 'type=trialer.intl', 'types=promo%2Ctrailer.intl', 'type=x']
    .concat(['user=u-greta', 'user=greta', 'user=gretta', 'user=Nobody+Here', 'q=x'])
    .concat(['projects=p-harbor', 'projects=p-harbor%2Cp-2']);
  const service = await listsService({
    '/downloads': [download],
    ...Object.fromEntries(filters.map((one) => [`/downloads?${one}`, []])),
    '/session': users,
  });
  const env = { ...service.env, MAR_STATE_DIR: temporaryFolder() };
  const run = (...argv: string[]) => mar(['downloads', 'list', ...argv], { env });
  return { ...service, run };
}

it.each([
  [['--user', 'Greta Vogel'], 'user=u-greta', '--user Greta Vogel: Greta Vogel, u-greta'],
  [['--user', 'GRETA@untertitel.example'], 'user=u-greta', 'Greta Vogel, u-greta'],
  [['--user', 'greta'], 'user=u-greta', 'Greta Vogel, u-greta'],
  [['--user', 'u-greta'], 'user=u-greta', undefined],
  [['--type', 'trailer'], 'type=trailer.intl', '--type trailer: trailer.intl'],
  [['--types', 'promo,trailer'], 'types=promo%2Ctrailer.intl', '--types trailer: trailer.intl'],
  [['--projects', 'the harbor light'], 'projects=p-harbor', 'The Harbor Light, p-harbor'],
  [['--projects', 'The Harbor Light,p-2'], 'projects=p-harbor%2Cp-2', 'The Harbor Light, p-harbor'],
])('%j sends the id, and says so', async (flags, query, note) => {
  const { run, requests } = await prepare();
  // The documented type is then seen as well.
  await run();
  const { code, stderr } = await run(...flags);
  expect(code, stderr).toBe(0);
  expect(requests.some((line) => line.startsWith(`/downloads?${query} `))).toBe(true);
  if (note === undefined) expect(stderr).not.toContain('--user');
  else expect(stderr).toContain(note);
});

it.each([
  [['--user', 'gretta'], ' Greta Vogel, u-greta?'],
  [['--user', 'Nobody Here'], 'users: u-1 (Inês), u-greta (Greta Vogel)'],
  [['--type', 'trialer.intl'], ' trailer.intl?'],
  [['--type', 'x'], 'types: promo, preliminary-production, trailer.intl'],
])('%j, which is no known value, is a warning', async (flags, warning) => {
  const { run } = await prepare();
  const { code, stderr } = await run(...flags);
  expect([code, stderr]).toEqual([0, expect.stringContaining(warning)]);
  const json = await run(...flags, '--summary', 'user', '--json');
  expect(JSON.parse(json.stderr).warning.code).toBe('no-match');
});

it('a name of two users is refused, and other filters show no values', async () => {
  const { run } = await prepare();
  const stderr = await failure(2, run('--user', 'Marc Dubois'));
  expect(stderr).toContain('Marc Dubois, u-3; Marc Dubois, u-4');
  expect((await run('--q', 'x')).stderr).not.toContain('Known');
});

it.each([
  [['--types', 'promo'], 'types=promo', '--types: 1 row'],
  [['--type', 'promo', '--jsonl'], 'type=promo', '--type: 1 row'],
  [['--projects', 'p-2'], 'projects=p-2', '--projects: 1 row'],
  [['--user', 'u-1', '--summary', 'day'], 'user=u-1', '--user: 1 row'],
  [['--types', 'trailer'], 'types=trailer.intl', undefined],
  [['--types', 'promo,trailer'], 'types=promo%2Ctrailer.intl', undefined],
  [['--projects', 'Harbor'], 'projects=Harbor', undefined],
  // A row without a project, and an id that is no name.
  [['--user', 'Nobody Here'], 'user=Nobody+Here', undefined],
])(
  '%j, which the service ignores, is named if the rows contradict it',
  async (flags, query, words) => {
    const rows = [download, { _id: 'd-2' }];
    const service = await listsService({ '/downloads': [], [`/downloads?${query}`]: rows });
    const run = await mar(['downloads', 'list', ...flags], service);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout.trimEnd().split('\n').length).toBeGreaterThan(
      flags.includes('--summary') ? 0 : 1,
    );
    if (words === undefined) expect(run.stderr).not.toContain('did not apply');
    else expect(run.stderr.split(outputWords.notApplied(words))).toHaveLength(2);
  },
);
