import { rememberIds } from '../../src/config/usedIds.ts';
import { temporaryFolder } from '../harness/mar.ts';

/** Variables for a service at which these assets were used, the last one most recently. */
export async function usedBefore(ids: readonly string[]): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  const origin = 'https://media.example';
  await rememberIds(
    folder,
    ids.map((id, at) => ({ origin, resource: 'Asset', id, name: `Film: part ${at + 1}` })),
  );
  return { MAR_STATE_DIR: folder, MAR_BASE_URL: `${origin}/api` };
}
