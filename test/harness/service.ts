import { temporaryFolder } from './mar.ts';
import { cleanEnvironment, startSandboxProgram } from './program.ts';

export interface Service {
  baseUrl: string;
  email: string;
  password: string;
  /** Variables that log the program in to it, but for the address that leads to it. */
  account: { MAR_EMAIL: string; MAR_TOKEN: string };
}

/** A sandbox with somebody logged in. */
export async function startService(): Promise<Service> {
  const { baseUrl, email, password } = await startSandboxProgram(['--ephemeral'], isolated());
  const basic = Buffer.from(`${email}:${password}`).toString('base64');
  const answer = await fetch(`${baseUrl}/session`, {
    headers: { Authorization: `Basic ${basic}` },
  });
  const { token } = (await answer.json()) as { token: string };
  return { baseUrl, email, password, account: { MAR_EMAIL: email, MAR_TOKEN: token } };
}

/** An environment of its own, with what is given. */
export const isolated = (more: Record<string, string> = {}): Record<string, string> =>
  cleanEnvironment(temporaryFolder(), more);
