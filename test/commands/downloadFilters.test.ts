import { expect, it } from 'vitest';
import { listsService } from '../harness/listsService.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';

/** One download and one user, which are remembered once they were listed. All filters match nothing. */
async function prepare() {
  const service = await listsService({
    '/downloads': [{ _id: 'd-1', asset: { _id: 'a-1', type: 'tvspot' } }],
    '/downloads?type=trailer': [],
    '/downloads?types=trailer': [],
    '/downloads?user=greta': [],
    '/downloads?q=x': [],
    '/session': [{ _id: 'u-1', name: 'Inês' }],
  });
  const env = { ...service.env, MAR_STATE_DIR: temporaryFolder() };
  return async (...argv: string[]) => {
    const { code, stderr } = await mar(argv, { env });
    expect(code, stderr).toBe(0);
    return stderr;
  };
}

it('a --type that matches nothing shows the known types: documented, or seen before', async () => {
  const notes = await prepare();
  expect(await notes('downloads', 'list')).not.toContain('Known');
  expect(await notes('downloads', 'list', '--type', 'trailer')).toContain(
    'warning: no download matches --type trailer. Known types: promo, preliminary-production, trailer.intl, tvspot\n',
  );
});

it('a --user that matches nothing shows the known users, if there are any', async () => {
  const notes = await prepare();
  expect(await notes('downloads', 'list', '--user', 'greta')).not.toContain('no download matches');
  await notes('user', 'list');
  expect(await notes('downloads', 'list', '--user', 'greta')).toContain(
    'warning: no download matches --user greta. Known users: u-1 (Inês)\n',
  );
});

it('a summary that counts nothing says the same to programs', async () => {
  const notes = await prepare();
  const argv = ['downloads', 'list', '--types', 'trailer', '--summary', 'user', '--json'];
  const { warning } = JSON.parse(await notes(...argv));
  expect(warning).toMatchObject({
    code: 'no-match',
    message:
      'no download matches --types trailer. Known types: promo, preliminary-production, trailer.intl',
  });
});

it('an empty list without these filters shows no values', async () => {
  const notes = await prepare();
  expect(await notes('downloads', 'list', '--q', 'x')).not.toContain('Known');
});
