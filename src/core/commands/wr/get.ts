import { unbroken } from '../../output/card.ts';
import { isListDrawn } from '../../output/printResults.ts';
import type { View } from '../../output/viewType.ts';
import { get, idsArgument } from '../../reads/getRecords.ts';
import { commandLine } from '../../values/commandLine.ts';
import type { Command } from '../command.ts';
import { workRequestCard, workRequestView } from './view.ts';

export const command: Command = {
  isPaged: true,
  summary: 'Show work requests',
  details:
    'On a screen, a single work request that is not finished shows whom it waits for, if mar can tell.',
  endpoint: 'workRequestGet',
  view: workRequestView,
  arguments: [idsArgument],
  examples: {
    'Show one work request': 'mar wr get wr-2001',
    'Show several as a table': 'mar wr get wr-2001 wr-2002 wr-2003',
    'Read ids from a file': 'mar wr get - --jsonl < ids.txt',
  },
  async *run(context, input) {
    const { flags, session, world } = context;
    let waits = ['', ''];
    const view: View = {
      ...workRequestView,
      card: (record, show) => workRequestCard(record, show, waits),
    };
    for await (const result of get(context, { endpoint: 'workRequestGet', view, input })) {
      const isCard = isListDrawn(flags, session.settings.output, world.streams.stdout);
      if (result.kind === 'record' && isCard) {
        const { actorsIn } = await import('../../reads/actors.ts');
        const { value } = result.record;
        const { rule, awaited, waits: words } = (await actorsIn(context, [value]))(value);
        const setting = unbroken(commandLine`mar config set ${`status.${rule.status}`}=…`);
        const basis = `${rule.isSet ? 'set' : 'assumed'}: ${rule.status} waits for the ${rule.role}`;
        const text = `${basis}; to change it: ${setting}`;
        waits = [words.replace(/^waits for /, ''), awaited.length > 0 ? text : ''];
      }
      yield result;
    }
  },
};
