import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { profileOf } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { MarError, usageError } from '../../errors.ts';
import { isLoopback } from '../../http/loopback.ts';
import type { Sandbox } from '../../sandbox/startSandbox.ts';
import { wrapCommand } from '../../terminal/width.ts';
import { commandLine } from '../../values/commandLine.ts';
import { type Command, type Input, stringOption } from '../command.ts';

export const command: Command = {
  name: 'sandbox',
  summary: 'Start a local service with demo data, to try mar',
  details:
    'Serves the whole API on this machine only, until you press Ctrl-C. It prints the command that logs you in to it. Your changes are kept in the data folder.',
  options: [
    {
      flags: '--data <dir>',
      summary: 'folder for the data',
      default: 'sandbox in the state folder of mar',
      completes: 'folder',
    },
    {
      flags: '--ephemeral',
      summary: 'use a temporary folder, and delete it when the sandbox stops',
    },
    { flags: '--reset', summary: 'start over with the demo data' },
    { flags: '--port <n>', summary: 'port to listen on', default: '4747, or the next free one' },
  ],
  examples: [
    { does: 'Start it and keep your changes', line: 'mar sandbox' },
    {
      does: 'Use it in a test, without leaving data behind',
      line: 'mar sandbox --ephemeral --json',
    },
  ],
  async run(context, input) {
    const { defaultPort, startSandbox } = await import('../../sandbox/startSandbox.ts');
    const port = readPort(input);
    const { dataDir, remove } = await dataFolder(context, input);
    try {
      const running = await startSandbox({
        dataDir,
        port,
        reset: input.options.reset === true,
        onError(error) {
          const message = error instanceof MarError ? error.message : String(error);
          context.reportOnce(`warning: sandbox: ${message}`);
        },
      });
      try {
        const listensOn = Number(new URL(running.baseUrl).port);
        if (port === undefined && listensOn !== defaultPort) {
          context.reportOnce(
            `Port ${defaultPort} is in use, so the sandbox listens on port ${listensOn}.`,
          );
        }
        await announce(context, running);
        if (!context.world.signal.aborted) await once(context.world.signal, 'abort');
      } finally {
        await running.close();
      }
    } finally {
      await remove();
    }
  },
};

function readPort(input: Input): number | undefined {
  const text = stringOption(input, 'port');
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw usageError(`--port takes a number from 0 to 65535, not "${text}"`);
  return port;
}

async function dataFolder(context: Context, input: Input) {
  const data = stringOption(input, 'data');
  if (input.options.ephemeral) {
    if (data !== undefined) throw usageError('--data and --ephemeral cannot be used together');
    const dataDir = await mkdtemp(path.join(tmpdir(), 'mar-sandbox-'));
    return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
  }
  const dataDir = path.resolve(data ?? path.join(context.folders.state, 'sandbox'));
  return { dataDir, remove: async () => {} };
}

const profile = 'sandbox';

async function announce(context: Context, { baseUrl, email, password, dataDir }: Sandbox) {
  const earlier = profileOf(context.config, profile)?.baseUrl;
  // An earlier sandbox had another port. A profile for another machine is not replaced unasked.
  const isEarlierSandbox =
    URL.canParse(earlier ?? '') && isLoopback(new URL(earlier ?? '').hostname);
  const login =
    commandLine`  echo ${password} | mar login --profile ${profile} --base-url ${baseUrl} --email ${email} --password-stdin --insecure-storage` +
    (isEarlierSandbox ? ' --replace' : '');
  await context.printer.outcome(
    { baseUrl, email, password, dataDir },
    [
      'The sandbox is running.',
      'Press Ctrl-C to stop it.',
      '',
      `  Base URL   ${baseUrl}`,
      `  E-mail     ${email}`,
      `  Password   ${password}`,
      `  Data       ${dataDir}`,
      '',
      'To log in, run this in another terminal:',
      '',
      ...wrapCommand(login, context.streams.stdout, context.world.platform),
    ].join('\n'),
  );
}
