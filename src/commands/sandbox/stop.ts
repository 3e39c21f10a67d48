import type { Command } from '../command.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';

export const command: Command = {
  name: 'stop',
  summary: 'Stop the sandbox',
  details:
    'Stops the sandbox of the data folder, whether it runs in the background or in another terminal.',
  options: [dataOption],
  examples: { 'Stop the sandbox': 'mar sandbox stop' },
  async run(context, input) {
    const { runningSandbox } = await import('../../sandbox/control/runningSandbox.ts');
    const dataDir = dataFolderOf(context, input);
    const sandbox = await runningSandbox(dataDir);
    await sandbox?.stop();
    await context.output.printer.outcome(
      { dataDir, stopped: sandbox !== undefined },
      sandbox ? `Stopped the sandbox at ${sandbox.state.baseUrl}` : 'The sandbox is not running',
    );
  },
};
