import type { Command } from '../../../core/commands/command.ts';
import { ServiceRecord } from '../../../core/json/serviceRecord.ts';
import { factsView } from '../../../core/output/printer.ts';
import { listResult } from '../../../core/output/result.ts';
import { findRunning } from '../control/runningSandbox.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';

export const command: Command = {
  summary: 'Print all records of the sandbox, for mar sandbox --seed',
  details:
    'Prints one record per line, as JSON. The field $kind names the kind of the record. Passwords of users and tokens are not exported; access keys are. The sandbox must be running.',
  options: [dataOption],
  examples: {
    'Save the records': 'mar sandbox export > seed.jsonl',
    'Start a sandbox with them': 'mar sandbox --ephemeral --seed seed.jsonl',
  },
  async *run({ session }, input) {
    const { ask } = await findRunning(dataFolderOf(session, input));
    const lines = await ask<string[]>('GET', 'export');
    const records = lines.map((line) => new ServiceRecord(JSON.parse(line), line));
    yield listResult([records], factsView, { defaultFormat: 'jsonl', isOwn: true });
  },
};
