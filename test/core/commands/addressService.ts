import { expect } from 'vitest';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { recordService } from '../../harness/recordService.ts';
import { remembered, storedAccount } from '../../harness/storedAccount.ts';

const request = JSON.stringify({
  _id: 'wr-1',
  asset: { _id: 'a-1', name: 'Film' },
  language: 'fra',
  uses: { items: ['online'] },
  urls: { view: 'https://desk.media.example/work-requests/:workRequest', invite: 'none' },
  $links: { self: '//h.example/api/workrequests/wr-1' },
});
export const records = {
  '/assets/a-1': '{"_id":"a-1","name":"Film"}',
  '/assets/a%2F1': '{"_id":"a/1","name":"Slash"}',
  '/workrequests/wr-1': request,
  '/workrequests/wr-2': '{"_id":"wr-2","status":"done"}',
  '/notifications/n-1': '{"_id":"n-1"}',
};

/** An account that knows some hosts of its service. */
export async function accountAt({ env }: { env: Record<string, string> }, ...hosts: string[]) {
  const stored = storedAccount(temporaryFolder(), env.MAR_BASE_URL ?? '');
  await remembered(stored, 'Host', Object.fromEntries(hosts.map((host) => [host, ''])));
  return stored;
}

export async function service(...hosts: string[]) {
  const started = await recordService(records);
  const env = await accountAt(started, ...hosts);
  return { env, paths: started.paths, host: new URL(env.MAR_BASE_URL ?? '').host };
}

export const knownHosts = ['desk.media.example', 'h.example'];

export const desk = 'https://desk.media.example';
export const page = `${desk}/work-requests/wr-1`;

/** Runs a line in which PAGE is the address of a page. It must ask for these records, and nothing else. */
export async function expectRecordsOf(line: string): Promise<void> {
  const { env, paths } = await service(...knownHosts);
  await mar(line.replaceAll('PAGE', page).split(' '), { env });
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) expect(Object.keys(records)).toContain(path);
}
