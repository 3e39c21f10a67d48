import type { Command } from '../../../core/commands/command.ts';
import { ServiceRecord } from '../../../core/json/serviceRecord.ts';
import { factsView } from '../../../core/output/printer.ts';
import { listResult } from '../../../core/output/result.ts';
import { findRunning } from '../control/runningSandbox.ts';
import type { ExportedPage } from '../store/recordStore.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';

export const command: Command = {
  summary: 'Print all records of the sandbox, for mar sandbox --seed',
  details:
    'Prints one record per line, as JSON, unless an output flag is given. The field $kind names the kind of the record. Passwords and tokens are not exported. The sandbox must be running.',
  options: [dataOption],
  examples: {
    'Save the records': 'mar sandbox export > seed.jsonl',
    'Start a sandbox with them': 'mar sandbox --ephemeral --seed seed.jsonl',
  },
  async *run({ session }, input) {
    const { ask } = await findRunning(dataFolderOf(session, input));
    async function* pages() {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { lines, next }: ExportedPage = await ask('GET', `export?after=${after}`);
        yield lines.map((line) => new ServiceRecord(JSON.parse(line), line));
        after = next;
      }
    }
    yield listResult(pages(), factsView, { defaultFormat: 'jsonl', isOwn: true });
  },
};
