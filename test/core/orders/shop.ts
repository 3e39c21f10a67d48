import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { mar, type Outcome, type RunOptions, temporaryFolder } from '../../harness/mar.ts';
import { demo, demoFolder, demoSandbox, tokenOf } from '../../modules/sandbox/harness.ts';

export const orderFor = (language: string, territory: string, due = '+14d') => [
  ...['wr', 'create', '--asset', 'a-1001', '--language', language, '--territory', territory],
  ...['--dialogue', 'subtitled', '--due', due, '--tz', 'Europe/Paris'],
];

export const order = orderFor('fin', 'FIN');

/** The error that a program got, if there was one. */
export const errorOf = ({ stderr }: Outcome) => {
  const line = stderr.split('\n').findLast((one) => one.startsWith('{"error"')) ?? '{}';
  return JSON.parse(line).error;
};

/** A sandbox with these faults, and an account in a profile: mar keeps a log of its writes. */
export async function shop(...faults: string[]) {
  const dataDir = await demoFolder();
  const sandbox = await demoSandbox({ dataDir, faults });
  const folder = temporaryFolder();
  const config = path.join(folder, 'config');
  const state = path.join(folder, 'state');
  mkdirSync(config);
  const tokenFile = path.join(config, 'token');
  writeFileSync(tokenFile, await tokenOf(sandbox), { mode: 0o600 });
  const profiles = { default: { baseUrl: sandbox.baseUrl, email: demo.email, tokenFile } };
  writeFileSync(path.join(config, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  const env = { MAR_CONFIG_DIR: config, MAR_STATE_DIR: state, MAR_LOG: '' };
  /** The ids of all work requests of the service, from the oldest to the newest. */
  const requests = async () => {
    const { stdout } = await mar(['sandbox', 'export', '--data', dataDir], { env });
    const lines = stdout.trim().split('\n');
    const all = lines.map((line) => JSON.parse(line)).filter((one) => one.$kind === 'WorkRequest');
    return all.sort((a, b) => a.created - b.created).map(({ _id }) => String(_id));
  };
  const logFolder = path.join(state, 'log');
  return {
    folder,
    env,
    sandbox,
    run: (argv: readonly string[], options: RunOptions = {}): Promise<Outcome> =>
      mar(argv, { ...options, env: { ...env, ...options.env } }),
    requests,
    count: async () => (await requests()).length,
    logFile: () => path.join(logFolder, readdirSync(logFolder)[0] ?? ''),
    file(name: string, content: string | Buffer): string {
      writeFileSync(path.join(folder, name), content);
      return path.join(folder, name);
    },
  };
}

/** A person at a terminal, who types this. */
export const typing = (text: string) => ({
  columns: 80,
  stdin: Object.assign(Readable.from([Buffer.from(text)]), { isTTY: true }),
});

export const yes = 'y\r';
export const no = 'n\r';

/** The lines before the question, and what was typed. */
export const asked = ({ stderr }: Outcome) => stderr.split('(y/N)')[0]?.replace(/\s+/g, ' ') ?? '';
export const questions = ({ stderr }: Outcome) => stderr.split('(y/N)').length - 1;
