import { usageError } from '../../errors.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { factsView } from '../../output/printer.ts';
import type { ExportedPage } from '../../sandbox/store/recordStore.ts';
import type { Command } from '../command.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';

export const command: Command = {
  name: 'export',
  summary: 'Print all records of the sandbox, for mar sandbox --seed',
  details:
    'Prints one record per line, as JSON, unless an output flag is given. The field $kind names the kind of the record. Passwords and tokens are not exported.',
  options: [dataOption],
  examples: {
    'Save the records': 'mar sandbox export > seed.jsonl',
    'Start a sandbox with them': 'mar sandbox --ephemeral --seed seed.jsonl',
  },
  async run(context, input) {
    const { withData } = await import('../../sandbox/control/runningSandbox.ts');
    const { linkHost, replaceLinkHost } = await import('../../sandbox/http/responses.ts');
    const dataDir = dataFolderOf(context, input);
    const { columns, format } = context.flags;
    const printer = columns ? context.output.printer : context.output.printer.as(format ?? 'jsonl');
    const printAll = (pageAfter: PageAfter) =>
      printer.forOwnRecords.list(recordPages(pageAfter), factsView);
    await withData(dataDir, {
      running: (sandbox) =>
        printAll(async (after) => {
          const action = `export?after=${encodeURIComponent(after)}`;
          const page = await sandbox.ask<ExportedPage>('GET', action);
          const { host } = new URL(sandbox.state.baseUrl);
          const lines = page.lines.map((line) => replaceLinkHost(line, host, linkHost));
          return { ...page, lines };
        }),
      stopped: (store) => {
        if (store) return printAll((after) => store.exportPage(after));
        const hint = 'To create the demo data, run: mar sandbox';
        throw usageError(`the data folder ${dataDir} has no records`, hint);
      },
    });
  },
};

type PageAfter = (after: string) => ExportedPage | Promise<ExportedPage>;

async function* recordPages(pageAfter: PageAfter) {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { lines, next }: ExportedPage = await pageAfter(after);
    yield lines.map((line) => new ServiceRecord(JSON.parse(line), line));
    after = next;
  }
}
