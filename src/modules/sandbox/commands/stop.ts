import type { Command } from '../../../core/commands/command.ts';
import { outcome } from '../../../core/output/result.ts';
import { runningSandbox } from '../control/runningSandbox.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';

export const command: Command = {
  summary: 'Stop the sandbox',
  details:
    'Stops the sandbox of the data folder, whether it runs in the background or in another terminal.',
  options: [dataOption],
  examples: { 'Stop the sandbox': 'mar sandbox stop' },
  async *run({ session }, input) {
    const dataDir = dataFolderOf(session, input);
    const sandbox = await runningSandbox(dataDir);
    await sandbox?.stop();
    yield outcome(
      { dataDir, stopped: sandbox !== undefined },
      sandbox
        ? `Stopped the sandbox at ${sandbox.status.baseUrl}`
        : `The sandbox is not running (data folder ${dataDir})`,
    );
  },
};
