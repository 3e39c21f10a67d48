import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Command } from '../../../core/commands/command.ts';
import { readServiceFile } from '../../../core/config/serviceSettings.ts';
import { MarError } from '../../../core/errors.ts';
import { option, readOption } from '../../../core/input.ts';
import { parseWholeNumber } from '../../../core/values/numbers.ts';
import { defaultPort } from '../constants.ts';
import { announce } from './announce.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';
import {
  checkProfile,
  forgetOrders,
  profileIn,
  saveSandboxLogin,
  updateProfiles,
} from './login.ts';

export const command: Command = {
  isEndless: ({ options }) => options.background !== true,
  summary: 'Start a local service with demo data, to try mar',
  details:
    'Serves the whole API on this machine only. Records are kept in the data folder, unless it is --ephemeral. A restart with the same folder does not end the login of --login.',
  options: [
    option('--login', 'log in to it, as profile sandbox or the one of --profile'),
    option('--background', 'return when it is ready, and leave it running'),
    dataOption,
    option('--ephemeral', 'use a temporary folder, and delete it when the sandbox stops', {
      excludes: ['--data', '--background'],
    }),
    option('--reset', 'delete all records and start over'),
    option('--seed <file>', 'start with the records of this file: JSON lines or an array', {
      completes: 'file',
    }),
    option('--service <file>', 'use the statuses, time unit and page length of this service file', {
      completes: 'file',
    }),
    option('--port <n>', 'port to listen on', {
      default: `that of its profile, else ${defaultPort}, or a free one if it is in use`,
    }),
    option(
      '--fault <fault>',
      'make requests fail or wait, such as "/workrequests 503 5%"; also 500ms, reset or 20/s',
      { many: true },
    ),
  ],
  examples: {
    'Start it in the background, and log in': 'mar sandbox --background --login',
    'Use it': 'mar wr get wr-2001 --profile sandbox',
    'Start it with your own records': 'mar sandbox --reset --seed records.jsonl',
    'Play a service with other statuses': 'mar sandbox --reset --login --service service.json',
    'Test how a script copes with failures':
      "mar sandbox --fault '/workrequests 503 5%' --fault '* 20/s'",
    'Use it in a test, without leaving data behind': 'mar sandbox --ephemeral --json',
  },
  async *run(context, input) {
    const { session, reporter, flags, world } = context;
    const { ephemeral, login, fault } = input.options;
    const faults = (fault as string[] | undefined) ?? [];
    const chosenPort = readOption(input, 'port', (text) =>
      parseWholeNumber(text, '--port', { min: 0, max: 65535 }),
    );
    const profile = login ? (flags.profile ?? 'sandbox') : undefined;
    const ownFolder = ephemeral ? undefined : dataFolderOf(session, input);
    if (profile) checkProfile(session, profile, flags.profile && '--profile');
    if (input.options.background) {
      const { startInBackground } = await import('./background.ts');
      return yield* startInBackground(context, input, profile);
    }
    const seed = await readOption(input, 'seed', async (file) =>
      (await import('../seed/readSeed.ts')).readSeed(file),
    );
    const service = await readOption(input, 'service', (file) => ({
      file: path.resolve(file),
      settings: readServiceFile(file),
    }));
    const dataDir = ownFolder ?? (await mkdtemp(path.join(tmpdir(), 'mar-sandbox-')));
    try {
      const { startSandbox } = await import('../start.ts');
      // Its port of the last time, because what mar remembers belongs to an address.
      const [, before] = profileIn(session, dataDir) ?? [];
      const firstPort = before ? Number(new URL(before.baseUrl).port) : defaultPort;
      const running = await startSandbox({
        dataDir,
        port: chosenPort,
        firstPort,
        reset: input.options.reset === true,
        seed: seed && (() => seed),
        service,
        pid: world.pid,
        faults,
        onError(error) {
          const message = error instanceof MarError ? error.message : String(error);
          reporter.warn('sandbox', `sandbox: ${message}`);
        },
      });
      try {
        const port = Number(new URL(running.baseUrl).port);
        if (chosenPort === undefined && port !== firstPort) {
          const message = `Port ${firstPort} is in use, so the sandbox listens on port ${port}.`;
          reporter.reportOnce(message);
        }
        if (running.isNew) await forgetOrders(session, running);
        if (profile) await saveSandboxLogin(context, profile, running, await running.login());
        else await updateProfiles(session, running, input.options.reset === true);
        const head = ['The sandbox is running.', 'Press Ctrl-C to stop it.'];
        yield* announce(context, running.status(), head, profile);
        const end = AbortSignal.any([world.signal, running.stopSignal]);
        if (!end.aborted) await once(end, 'abort');
      } finally {
        await running.close();
      }
    } finally {
      if (ephemeral) await rm(dataDir, { recursive: true, force: true });
    }
  },
};
