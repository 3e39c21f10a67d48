import { MarError } from '../../errors.ts';
import type { Command } from '../command.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';

export const command: Command = {
  name: 'export',
  summary: 'Print all records of the sandbox, for mar sandbox --seed',
  details:
    'Prints one record per line, as JSON. The field $kind names the kind of the record. Passwords and tokens are not exported.',
  options: [dataOption],
  examples: [
    { does: 'Save the records', line: 'mar sandbox export > seed.jsonl' },
    {
      does: 'Start a sandbox with them',
      line: 'mar sandbox --ephemeral --seed seed.jsonl',
    },
  ],
  async run(context, input) {
    const { withData } = await import('../../sandbox/runningSandbox.ts');
    const { exportPage } = await import('../../sandbox/exportRecords.ts');
    const { linkHost, replaceLinkHost } = await import('../../sandbox/responses.ts');
    const dataDir = dataFolderOf(context, input);
    const noRecords = () => {
      throw new MarError('usage', `the data folder ${dataDir} has no records`, {
        hint: 'To create the demo data, run: mar sandbox',
      });
    };
    type Pages = (
      after: string,
    ) => ReturnType<typeof exportPage> | Promise<ReturnType<typeof exportPage>>;
    const printAll = async (pageAfter: Pages) => {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { lines, next }: ReturnType<typeof exportPage> = await pageAfter(after);
        if (lines.length > 0) await context.streams.stdout.write(`${lines.join('\n')}\n`);
        after = next;
      }
    };
    await withData(dataDir, {
      running: (sandbox) =>
        printAll(async (after) => {
          const action = `records?after=${encodeURIComponent(after)}`;
          const page = await sandbox.ask<ReturnType<typeof exportPage>>('GET', action);
          const lines = page.lines.map((line) => replaceLinkHost(line, sandbox.host, linkHost));
          return { ...page, lines };
        }),
      stopped: ({ database, fresh }) =>
        fresh ? noRecords() : printAll((after) => exportPage(database, after)),
      empty: noRecords,
    });
  },
};
