import { schemaOf } from '../../client/client.ts';
import { checkBody } from '../../client/request.ts';
import type { JsonObject } from '../../json/value.ts';
import { dryRunOption, edit, yesOption } from '../../writes/body.ts';
import { skipChecksOption } from '../../writes/checks.ts';
import { editInEditor } from '../../writes/editor.ts';
import { planChange } from '../../writes/plan.ts';
import {
  idChangedError,
  overwriteOption,
  readTarget,
  targetOf,
  writePlan,
} from '../../writes/putRecord.ts';
import { refuseMistakes } from '../../writes/refuseMistakes.ts';
import { rememberSeen } from '../../writes/seenAssets.ts';
import type { Command } from '../command.ts';
import { assetView } from './view.ts';

export const command: Command = {
  summary: 'Edit an asset in your editor',
  details:
    'Opens the asset as YAML in $VISUAL, else $EDITOR. After you save and close, mar shows your changes, and asks on a terminal. What others changed meanwhile is kept; if they changed the same fields, nothing is written (exit code 6). If the write fails, your text is kept in a file.',
  view: assetView,
  arguments: [{ name: 'id', summary: 'id of the asset', completes: { idOf: 'Asset' } }],
  options: [skipChecksOption, yesOption, overwriteOption, dryRunOption],
  examples: {
    'Edit an asset': 'mar asset edit a-1001',
    'Edit it in another editor': "VISUAL='code --wait' mar asset edit a-1001",
  },
  async *run(context, input) {
    const [id = ''] = input.arguments;
    const { baseUrl, email } = context.session.identity();
    const schema = await schemaOf('asset');
    const first = await readTarget(context, 'assetPut', id);
    const { record } = first;
    await rememberSeen(context, record);
    const request = { endpoint: 'assetPut', input } as const;
    const draft = {
      name: `asset-${id}`,
      record,
      header: [
        `Asset ${id} at ${baseUrl.host}, as ${email}`,
        'Change the fields, save and close. To write nothing, change nothing or delete everything.',
      ],
      isDryRun: input.options.dryRun === true,
      async check(mine: JsonObject) {
        if (mine.get('_id') !== id) throw idChangedError('assetPut', id);
        await edit(context, request, mine, [], { base: record });
        await refuseMistakes(context, request, mine, record);
        checkBody(mine, schema, record);
      },
    };
    // The editor shows the newest state, so earlier ones do not matter.
    const target = targetOf(context, request, id);
    const invocation = { ...request, view: assetView };
    yield* editInEditor(context, draft, (mine) => {
      const plan = context.world.interruptible(() => planChange(target, first, mine));
      return writePlan(context, invocation, target, plan, record);
    });
  },
};
