import { mar, temporaryFolder } from '../../harness/mar.ts';
import { storedAccount, withService } from '../../harness/storedAccount.ts';
import { writeService } from '../../harness/writeService.ts';
import { requestWords } from '../../words/requests.ts';

const users = [
  { _id: 'u-greta', name: 'Greta Vogel', emailNormal: 'greta@untertitel.example' },
  { _id: 'u-ines', name: 'Inês Carvalho', username: 'INES@northlight.example' },
  { _id: 'u-ann', name: 'Ann Berg', emailNormal: 'ann@northlight.example' },
  { _id: 'u-anna', name: 'Anna Berg', emailNormal: 'anna@northlight.example' },
  { _id: 'u-nameless', emailNormal: 'new@northlight.example' },
];

/** A service with users and a work request. `listing` is the response to the list of users. */
export async function prepare({
  listing = {},
  status = 'awaiting-materials',
  settings = {} as Record<string, string>,
} = {}) {
  const list = { body: JSON.stringify(users), headers: { 'X-Total-Count': String(users.length) } };
  const service = await writeService((_, __, path) => {
    if (path === 'GET /api/session') return { ...list, ...listing };
    if (!path.startsWith('GET ')) return {};
    return { body: JSON.stringify({ _id: 'wr-1', status }) };
  });
  const env = withService(storedAccount(temporaryFolder(), service.baseUrl), settings);
  const put = (...argv: string[]) => mar(['event', 'put', ...argv], { env });
  return {
    env,
    put,
    notify: (...given: string[]) =>
      put('--type', 'x', ...given.flatMap((one) => ['--notify-user', one])),
    written: () => service.received.filter((_, at) => service.paths[at] === 'PUT /api/events'),
    listings: () => service.paths.filter((path) => path === 'GET /api/session').length,
  };
}

export const skip = ' --skip-checks=user\n';
export const greta = requestWords.didYouMeanUser('Greta Vogel, u-greta');
