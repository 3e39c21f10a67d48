import type { Command } from '../../../core/commands/command.ts';
import { usageError } from '../../../core/errors.ts';
import { option } from '../../../core/input.ts';
import { outcome } from '../../../core/output/result.ts';
import { runningSandbox } from '../control/runningSandbox.ts';
import type { SandboxStatus } from '../start.ts';
import { openDataFolder } from '../store/dataFolder.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';
import { forgetOrders, updateProfiles } from './login.ts';

export const command: Command = {
  summary: 'Delete all records of the sandbox, and start over',
  details:
    'Starts over with the demo data. A running sandbox that was started with --seed starts over with those records. The profile of mar sandbox --login stays logged in, and the description of --service stays.',
  options: [dataOption, option('-y, --yes', 'delete without asking; required without a terminal')],
  examples: { 'Start over': 'mar sandbox reset' },
  async *run({ session, reporter }, input) {
    session.refuseReadOnly();
    const dataDir = dataFolderOf(session, input);
    if (!input.options.yes) {
      const all = `all records in ${dataDir}`;
      if (!reporter.isInteractive)
        throw usageError(`this deletes ${all}`, 'Use --yes to delete them.');
      await reporter.confirm(`Delete ${all}?`, 'Nothing was deleted.');
    }
    const running = await runningSandbox(dataDir);
    if (running) {
      await running.ask('POST', 'reset');
      const status = await running.ask<SandboxStatus>('GET', 'status');
      await updateProfiles(session, status);
      await forgetOrders(session, status);
    } else (await openDataFolder(dataDir, true)).release();
    yield outcome(
      { dataDir, running: running !== undefined },
      running
        ? `Reset the sandbox at ${running.status.baseUrl}`
        : `Deleted the data in ${dataDir}. The next start writes new demo data`,
    );
  },
};
