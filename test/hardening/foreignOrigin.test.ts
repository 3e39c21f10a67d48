import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { LoadedCommand } from '../../src/core/commands/command.ts';
import { table } from '../../src/program/table.ts';
import { CommandTree } from '../../src/program/tree.ts';
import { mar, temporaryFile } from '../harness/mar.ts';
import { startSandboxProgram } from '../harness/program.ts';
import { type RecordingServer, recordingServer } from '../harness/recordingServer.ts';
import { isolated } from '../harness/service.ts';
import { writeProfiles } from '../harness/storedAccount.ts';

/*
 * A token goes only to the origin that it was issued for, from every command. The commands come
 * from the table, so a new one is tested without a change here.
 */

const email = 'ines@northlight.example';
const token = 'canary-token-51d2e8';
const home = 'https://media.example';

/** Values for arguments whose name alone does not make a valid command line. */
const argumentValues: Readonly<Record<string, string>> = {
  'api method': 'GET',
  'api path': '/assets/a-1',
  'file upload-meta path': fileURLToPath(import.meta.url),
  'config get key': 'output',
  'config set key': 'output',
  'config set value': 'json',
  'config unset key': 'output',
};

const idFile = path.join(mkdtempSync(path.join(tmpdir(), 'mar-test-')), 'ids.txt');
writeFileSync(idFile, 'wr-1\n');
afterAll(() => rmSync(path.dirname(idFile), { recursive: true }));

/** Flags without which a command ends before it would send anything. */
const neededFlags: Readonly<Record<string, readonly string[]>> = {
  api: ['--no-input'],
  login: ['--email', email, '--insecure-storage', '--password-stdin'],
  today: ['--from', idFile],
  whoami: ['--check'],
  'event put': ['-f', '-', '--skip-checks'],
  'translation compare': ['a-2'],
  'wr create': ['-f', '-', '--skip-checks'],
  'wr wait': ['--status', 'done'],
};

/** These send nothing, or nothing that is stored: a login sends the password that it is given. */
const withoutToken = new Set([
  'login',
  'log',
  'undo',
  // An undo sends, but only to the service that its journal names.
  'batch',
  'config',
  'profile',
  'completion',
  'schema',
  'sandbox',
  'translation fix',
  'wr track',
  'wr untrack',
  // Its tools run the other commands.
  'mcp',
  'skill',
]);

interface Line {
  name: string;
  argv: string[];
  word: string;
}

async function lines(): Promise<Line[]> {
  return (await new CommandTree(table).loadCommands()).map(lineOf);
}

function lineOf({ words, arguments: taken = [], options = [] }: LoadedCommand): Line {
  const name = words.join(' ');
  const values = taken.map(
    (argument) => argument.choices?.[0] ?? argumentValues[`${name} ${argument.name}`] ?? 'a-1',
  );
  const takesFile = options.some(({ flags }) => flags.startsWith('-f, --file'));
  // The record has fields that not every kind of record has.
  const hasChecks = options.some(({ flags }) => flags === '--skip-checks');
  const file = takesFile ? ['-f', '-', ...(hasChecks ? ['--skip-checks'] : [])] : [];
  const flags = neededFlags[name] ?? [...file, '--no-input'];
  return { name, word: words[0] ?? '', argv: [...words, ...values, ...flags] };
}

/** A home with a stored token for another service. */
function loggedIn(more: Record<string, string> = {}, origin = home) {
  const env = isolated({ EDITOR: 'true', ...more });
  const profile = { baseUrl: `${origin}/api`, email, store: 'file' };
  const tokens = { [`${email} ${origin}`]: token };
  writeProfiles(env.MAR_CONFIG_DIR ?? '', { default: profile }, tokens);
  return env;
}

/** Everything that could give the token away, in what a server received. */
function carried({ requests }: RecordingServer): string[] {
  const basic = Buffer.from(`${email}:token-${token}`).toString('base64');
  return requests.filter((request) => request.includes(basic) || request.includes(token));
}

const body = '{"_id":"a-1","asset":"a-1","workRequest":"wr-1","language":"fra"}';

const all = await lines();
const started = all.filter(({ word }) => word !== 'sandbox');

/** How a command line or its environment can point at another service than the token's. */
const ways: readonly ((server: RecordingServer) => {
  flags: string[];
  env: Record<string, string>;
})[] = [
  ({ baseUrl }) => ({ flags: ['--base-url', baseUrl], env: loggedIn() }),
  ({ baseUrl }) => ({ flags: ['--base-url', baseUrl, '--profile', 'default'], env: loggedIn() }),
  ({ baseUrl }) => ({ flags: ['--base-url', baseUrl], env: loggedIn({ MAR_PROFILE: 'default' }) }),
  ({ baseUrl }) => ({ flags: [], env: loggedIn({ MAR_BASE_URL: baseUrl }) }),
  ({ baseUrl }) => ({
    flags: ['--base-url', baseUrl],
    env: isolated({
      EDITOR: 'true',
      MAR_TOKEN: token,
      MAR_EMAIL: email,
      MAR_BASE_URL: `${home}/api`,
    }),
  }),
];

describe('a token', () => {
  it.each(started)('is not sent to another service by $name', async ({ argv, name, word }) => {
    const sendsNoToken = withoutToken.has(word) || withoutToken.has(name);
    const outcomes = await Promise.all(
      ways.map(async (way) => {
        const server = await recordingServer('[]');
        const { flags, env } = way(server);
        const stdin = word === 'login' ? 'pw-1234' : body;
        const run = await mar([...argv, ...flags], { env, stdin });
        return { server, run };
      }),
    );
    for (const { server, run } of outcomes) {
      expect(carried(server)).toEqual([]);
      if (sendsNoToken) continue;
      expect(server.requests).toEqual([]);
      expect(run.code).not.toBe(0);
    }
    if (sendsNoToken) return;
    const [{ run } = expect.fail('no outcome')] = outcomes;
    // It came as far as to send something: otherwise this would show nothing.
    expect(run.stdout + run.stderr).toMatch(new RegExp(`token .* ${home}, not for http:`));
    expect(run.code).toBe(4);
  });

  it('is not sent to another service by a sandbox, which starts all the same', async () => {
    const server = await recordingServer('[]');
    const env = loggedIn({ MAR_BASE_URL: server.baseUrl });
    const sandbox = await startSandboxProgram(['--ephemeral'], env);
    expect(sandbox.baseUrl).toMatch(/^http:/);
    expect(server.requests).toEqual([]);
  });

  it('is not sent to another service by a batch', async () => {
    const server = await recordingServer('{}');
    const env = loggedIn({ MAR_BASE_URL: server.baseUrl });
    const rows = temporaryFile(`${body}\n`, 'rows.jsonl');
    const run = await mar(['wr', 'create', '--batch', rows, '--skip-checks'], { env });
    expect(run.code).toBe(4);
    expect(server.requests).toEqual([]);
  });

  it('goes to its own service alone by logout --all', async () => {
    const [server, other] = [await recordingServer('{}'), await recordingServer('{}')];
    const env = loggedIn({ MAR_BASE_URL: other.baseUrl }, new URL(server.baseUrl).origin);
    const run = await mar(['logout', '--all', '--base-url', other.baseUrl], { env });
    expect(run.code, run.stderr).toBe(0);
    expect(carried(server)).toHaveLength(1);
    expect(other.requests).toEqual([]);
  });

  it("in MAR_TOKEN, for a profile's account, is not sent to MAR_BASE_URL elsewhere", async () => {
    const server = await recordingServer('[]');
    const env = loggedIn({ MAR_TOKEN: token, MAR_BASE_URL: server.baseUrl });
    const run = await mar(['asset', 'get', 'a-1'], { env });
    expect(carried(server)).toEqual([]);
    expect(run.code).toBe(4);
  });
});
