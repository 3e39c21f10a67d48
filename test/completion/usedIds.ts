import { temporaryFolder } from '../harness/mar.ts';
import { remembered, storedAccount } from '../harness/storedAccount.ts';

/** Variables for a service at which these assets were used, the last one most recently. */
export async function usedBefore(ids: readonly string[]): Promise<Record<string, string>> {
  const env = storedAccount(temporaryFolder(), 'https://media.example/api');
  const names = ids.map((id, at) => [id, `Film: part ${at + 1}`]);
  await remembered(env, 'Asset', Object.fromEntries(names));
  return env;
}
