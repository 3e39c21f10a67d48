import type { Command } from '../command.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';

export const command: Command = {
  name: 'reset',
  summary: 'Delete all records of the sandbox, and start over with the demo data',
  details:
    'Works while the sandbox is running, and when it is stopped. A running sandbox that was started with --seed starts over with that file. The profile of mar sandbox --login stays logged in.',
  options: [dataOption],
  examples: [{ does: 'Start over', line: 'mar sandbox reset' }],
  async run(context, input) {
    const { runningSandbox } = await import('../../sandbox/runningSandbox.ts');
    const { openDataFolder } = await import('../../sandbox/dataFolder.ts');
    const dataDir = dataFolderOf(context, input);
    // A damaged database cannot be read, but it can be deleted.
    const running = await runningSandbox(dataDir).catch(() => undefined);
    if (running) await running.ask('POST', 'reset');
    else (await openDataFolder(dataDir, true)).release();
    await context.printer.outcome(
      { dataDir, running: running !== undefined },
      running
        ? `Reset the sandbox at ${running.state.baseUrl}`
        : `Deleted the data in ${dataDir}. The next start writes new demo data`,
    );
  },
};
