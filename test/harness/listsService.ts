import { fakeService, rangeOf, storedLogin } from './fakeService.ts';

/** The records of a list, or an error status. */
export type StoredList = readonly unknown[] | number;

/** A service with several lists by path, in ranges and with totals, and folders of its own. */
export async function listsService(
  lists: Readonly<Record<string, StoredList>>,
  /** Called before each response. It may wait. */
  before: (path: string) => Promise<void> | void = () => {},
) {
  const requests: string[] = [];
  const { baseUrl } = await fakeService(async (request) => {
    const { path } = request;
    const { range, from, to } = rangeOf(request);
    requests.push(`${path} ${range}`);
    await before(path);
    const list = lists[path] ?? 404;
    if (typeof list === 'number') return list;
    const headers = { 'X-Total-Count': String(list.length) };
    return { headers, body: JSON.stringify(list.slice(from, to + 1)) };
  });
  return { requests, env: storedLogin(baseUrl) };
}
