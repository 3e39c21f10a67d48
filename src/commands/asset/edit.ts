import { schemaOf } from '../../client/client.ts';
import { checkBody } from '../../client/request.ts';
import { usageError } from '../../errors.ts';
import { isSame } from '../../json/value.ts';
import { writeChange } from '../../records/guardedWrite.ts';
import type { Command } from '../command.ts';
import { dryRunOption } from '../write/body.ts';
import { type Edited, editInEditor, withKeptDraft } from '../write/editor.ts';
import { yesOption } from '../write/write.ts';
import { guardedAsset, overwriteOption } from './guardedAsset.ts';

export const command: Command = {
  name: 'edit',
  summary: 'Change an asset in your editor',
  details:
    'Opens $VISUAL or $EDITOR on the asset as YAML, or as JSON with --json. What you change is written on top of the newest; a file that you leave as it is writes nothing. Your text is kept until it is written.',
  arguments: [{ name: 'id', summary: 'the asset to change', completes: { idOf: 'Asset' } }],
  options: [yesOption, overwriteOption, dryRunOption],
  examples: [
    { does: 'In your editor', line: 'mar asset edit a-1001' },
    { does: 'In another one, as JSON', line: "VISUAL='code --wait' mar asset edit a-1001 --json" },
  ],
  async run(context, input) {
    const [id = ''] = input.arguments;
    const { baseUrl, email } = context.identity();
    const schema = await schemaOf('asset');
    const target = await guardedAsset(context, input, id);
    let edited: Edited | undefined;
    try {
      // The editor shows the newest state, so earlier ones do not matter.
      await writeChange({ ...target, seen: [] }, async (record) => {
        target.remember(record);
        edited = await editInEditor(context, {
          name: `asset-${id}`,
          record,
          header: [
            `The asset ${id} at ${baseUrl.host}, as ${email}`,
            'Change what you like, save and close. Left as it is, or emptied, nothing is written.',
          ],
          async check(mine) {
            if (mine.get('_id') !== id) throw usageError(`_id must stay ${JSON.stringify(id)}`);
            checkBody(mine, schema, record);
          },
        });
        if (edited && !isSame(edited.record, record)) return edited.record;
        edited?.done();
        context.reportOnce('nothing was changed, and nothing was written');
        return undefined;
      });
    } catch (error) {
      throw edited ? withKeptDraft(context, error, edited.file) : error;
    }
    if (!input.options.dryRun) edited?.done();
    else if (edited) context.reportOnce(`your text is kept in ${edited.file}`);
  },
};
