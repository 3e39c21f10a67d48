import { temporaryFolder } from './mar.ts';
import { cleanEnvironment, logInTo, startSandboxProgram } from './program.ts';

export interface Service {
  baseUrl: string;
  email: string;
  password: string;
  /** Variables that log mar in, without the address of the service. */
  account: { MAR_EMAIL: string; MAR_TOKEN: string };
}

/** A sandbox with a logged-in user, and with these flags. */
export async function startService(...flags: readonly string[]): Promise<Service> {
  const argv = ['--ephemeral', ...flags];
  const { baseUrl, email, password } = await startSandboxProgram(argv, isolated());
  const basic = Buffer.from(`${email}:${password}`).toString('base64');
  const response = await fetch(`${baseUrl}/session`, {
    headers: { Authorization: `Basic ${basic}` },
  });
  const { token } = (await response.json()) as { token: string };
  return { baseUrl, email, password, account: { MAR_EMAIL: email, MAR_TOKEN: token } };
}

/** A clean environment with a new folder, plus the given variables. */
export const isolated = (more: Record<string, string> = {}): Record<string, string> =>
  cleanEnvironment(temporaryFolder(), more);

/** A sandbox, and an environment that is logged in to it, in a folder of its own. */
export async function loggedInSandbox(more: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const env = cleanEnvironment(folder, { TMPDIR: folder, ...more });
  const sandbox = await startSandboxProgram(['--ephemeral'], env);
  await logInTo(sandbox, env);
  return { folder, env, sandbox };
}
