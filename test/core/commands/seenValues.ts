import { mar, temporaryFolder } from '../../harness/mar.ts';
import { recordService } from '../../harness/recordService.ts';
import { storedAccount } from '../../harness/storedAccount.ts';

const request = {
  _id: 'wr-1',
  status: 'in-progress',
  territory: 'FRA',
  assetType: 'trailer.intl',
  dng: { dialogue: ['subtitled'], graphics: ['localized'], narration: ['voice-over'] },
  uses: { items: ['online'] },
  asset: { _id: 'a-1', workflow: { phase: 'WIP', definition: { phases: { WIP: {}, DONE: {} } } } },
};

/** A service at which one work request was shown, and so its values were seen. */
export async function prepare(records: Record<string, string> = {}) {
  const service = await recordService({
    '/workrequests': '{"_id":"wr-9"}',
    '/workrequests/wr-1': JSON.stringify(request),
    '/translations': '{"_id":"t-9"}',
    '/events': '{"_id":"e-9"}',
    '/assets/a-1': '{"_id":"a-1","usage":{"online":true,"dcp":false}}',
    ...records,
  });
  const env = storedAccount(temporaryFolder(), service.env.MAR_BASE_URL ?? '');
  await mar(['wr', 'get', 'wr-1'], { env });
  service.paths.length = 0;
  const posts = () =>
    service.paths.filter((one) => /^\/(?:workrequests|translations|events)$/.test(one));
  return { env, posts, run: (argv: readonly string[]) => mar(argv, { env }) };
}
