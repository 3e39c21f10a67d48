import { createServer } from 'node:http';
import { listening } from './listening.ts';
import { temporaryFolder } from './mar.ts';
import { storedAccount } from './storedAccount.ts';

/** The records of a list, or an error status. */
export type StoredList = readonly unknown[] | number;

/** A service with several lists by path, in ranges and with totals, and folders of its own. */
export async function listsService(
  lists: Readonly<Record<string, StoredList>>,
  /** Called before each response. It may wait. */
  before: (path: string) => Promise<void> | void = () => {},
) {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace('/api', '');
    const range = String(request.headers['x-range']).replace('resources=', '');
    requests.push(`${path} ${range}`);
    await before(path);
    const list = lists[path] ?? 404;
    if (typeof list === 'number') {
      response.statusCode = list;
      return response.end(`{"message":"status ${list}"}`);
    }
    const [from = 0, to = 0] = range.split('-').map(Number);
    response.setHeader('X-Total-Count', list.length);
    return response.end(JSON.stringify(list.slice(from, to + 1)));
  });
  const { baseUrl } = await listening(server);
  return { requests, env: storedAccount(temporaryFolder(), baseUrl) };
}
