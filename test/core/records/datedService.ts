import { fakeService, storedLogin } from '../../harness/fakeService.ts';

export const second = 1_796_148_000;
export const order = ['wr', 'create', '--skip-checks', '--yes', '--again', '--language', 'fra'];
export const due = ['--due', '2026-12-01T18:00Z'];
export const hint = 'mar config set time.unit=s';

/** A service whose records were created at this time, in its own unit. */
export async function prepare(created?: string) {
  const dates: string[] = [];
  const { baseUrl } = await fakeService(({ method, path, body }) => {
    const [, date = ''] = /"date":(\d+)/.exec(body) ?? [];
    if (method === 'POST') dates.push(date);
    const id = method === 'POST' ? `wr-${dates.length}` : path.split('/').at(-1);
    const record = `{"_id":"${id}"${created ? `,"created":${created}` : ''}}`;
    return path.startsWith('/downloads') ? `[${record}]` : record;
  });
  return { dates, env: storedLogin(baseUrl) };
}
