import { schemaOf } from '../../client/client.ts';
import { checkBody } from '../../client/request.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { isSame } from '../../json/value.ts';
import { writeChange } from '../../records/guardedWrite.ts';
import type { View } from '../../terminal/view.ts';
import type { Input } from '../command.ts';
import { type Edited, editInEditor, kept } from '../write/editor.ts';
import { guardedAsset } from './guardedAsset.ts';

/** Changes an asset in the editor, and writes the change on top of the newest. */
export async function editGuarded(
  context: Context,
  input: Input,
  id: string,
  view: View,
): Promise<void> {
  const { baseUrl, email } = context.identity();
  const schema = await schemaOf('asset');
  const target = await guardedAsset(context, input, id, view);
  let edited: Edited | undefined;
  try {
    // What the editor showed is what was last seen.
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
      context.note('nothing was changed, and nothing was written');
      return undefined;
    });
  } catch (error) {
    throw edited ? kept(context, error, edited.file) : error;
  }
  if (!input.options.dryRun) edited?.done();
  else if (edited) context.note(`your text is kept in ${edited.file}`);
}
