import { mar, temporaryFolder } from '../../harness/mar.ts';
import { recordService } from '../../harness/recordService.ts';
import { storedAccount } from '../../harness/storedAccount.ts';

/** A whole order, in which only the given flags can be wrong. */
export const create = (...argv: string[]) => {
  const language = argv.includes('--language') ? [] : ['--language', 'fra'];
  return ['wr', 'create', '--asset', 'a-1', ...language, '--set', 'dng.graphics=["new"]', ...argv];
};

/** A service with a work request, which was shown. */
export async function prepare() {
  const { env } = await recordService({
    '/workrequests': '{"_id":"wr-9"}',
    '/workrequests/wr-1': '{"_id":"wr-1","asset":"a-1","auto":true,"language":"fra"}',
    '/assets/a-1': '{"_id":"a-1"}',
  });
  const own = storedAccount(temporaryFolder(), env.MAR_BASE_URL ?? '');
  await mar(['wr', 'get', 'wr-1'], { env: own });
  return {
    env: own,
    send: (argv: readonly string[], more = {}) =>
      mar(create(...argv, '--dry-run'), { env: { ...own, ...more } }),
  };
}
