import { complete } from '../../../src/completion/complete.ts';
import { temporaryFolder } from '../../harness/mar.ts';
import { remembered, storedAccount } from '../../harness/storedAccount.ts';

interface CompletionResult {
  /** `file`, `folder` or `words`; absent when there was no answer. */
  kind?: string;
  space?: string;
  before?: string;
  rows: string[];
}

const nowhere = { MAR_CONFIG_DIR: '/nonexistent/mar', MAR_STATE_DIR: '/nonexistent/mar' };

/** Asks as a shell's script does. */
export async function ask(
  given: readonly string[],
  env: Record<string, string> = {},
): Promise<CompletionResult> {
  const host = { env: { ...nowhere, ...env }, platform: 'linux', getuid: process.getuid } as const;
  const text = await complete(given, host);
  if (text === '') return { rows: [] };
  const [first = '', ...rows] = text.replace(/\n$/, '').split('\n');
  const [, kind, space, before] = /^(\S*) (\S*) (.*)$/.exec(first) ?? [];
  return { kind, space, before, rows };
}

/** The words that are offered behind `mar`; the last one given is the one at the cursor. */
export async function offered(
  words: readonly string[],
  env?: Record<string, string>,
): Promise<string[]> {
  const { rows } = await ask(['fish', ...words], env);
  return rows.map((row) => row.split('\t')[0] ?? '');
}

/** Variables for a service at which these assets were used, the last one most recently. */
export async function usedBefore(ids: readonly string[]): Promise<Record<string, string>> {
  const env = storedAccount(temporaryFolder(), 'https://media.example/api');
  const names = ids.map((id, at) => [id, `Film: part ${at + 1}`]);
  await remembered(env, 'Asset', Object.fromEntries(names));
  return env;
}
