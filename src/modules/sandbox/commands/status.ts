import type { Command } from '../../../core/commands/command.ts';
import { outcome } from '../../../core/output/result.ts';
import { runningSandbox } from '../control/runningSandbox.ts';
import { announce } from './announce.ts';
import { runningLines } from './background.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';

export const command: Command = {
  summary: 'Show whether the sandbox is running and, if so, how to use it',
  options: [dataOption],
  examples: {
    'Show the status': 'mar sandbox status',
    'Print its address': 'mar sandbox status --jq .baseUrl',
  },
  async *run(context, input) {
    const dataDir = dataFolderOf(context.session, input);
    const sandbox = await runningSandbox(dataDir);
    if (sandbox) yield* announce(context, sandbox.status, runningLines(input));
    else
      yield outcome(
        { running: false, dataDir },
        `The sandbox is not running (data folder ${dataDir})`,
      );
  },
};
