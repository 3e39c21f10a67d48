import {
  type Endpoint,
  type EndpointId,
  endpoints,
  resourceNoun,
} from '../../../core/api/endpoints.ts';
import type { Command } from '../../../core/commands/command.ts';
import { MarError, runHint, usageError } from '../../../core/errors.ts';
import { type Input, missingArgument, option, stringOption } from '../../../core/input.ts';
import { parseRecord, ServiceRecord } from '../../../core/json/serviceRecord.ts';
import { copyOf, isSame, type JsonObject, printJson } from '../../../core/json/value.ts';
import { factsView } from '../../../core/output/printer.ts';
import { type Canvas, outcome, recordResult, textResult } from '../../../core/output/result.ts';
import type { Context } from '../../../core/session/context.ts';
import { words } from '../../../core/values/commandLine.ts';
import { edit, readEdits } from '../../../core/writes/body.ts';
import { skipChecksOption } from '../../../core/writes/checks.ts';
import { differenceLines } from '../../../core/writes/diff.ts';
import { refuseMistakes } from '../../../core/writes/refuseMistakes.ts';
import type { FoundRecord } from '../control/records.ts';
import { findRunning } from '../control/runningSandbox.ts';
import { dataFolderOf, dataOption } from './dataFolder.ts';

export const command: Command = {
  summary: 'Change a record of the sandbox as somebody else',
  details:
    'Plays the other side: the service, a translator or a colleague. It can also change records that the API cannot write. A new status gets an entry in the history, if the record has one. A new password of a user ends the logins of that user. The sandbox must be running.',
  arguments: [
    { name: 'id', summary: 'id of a record of any kind', completes: 'id' },
    {
      name: 'path=value',
      summary: 'field to set, as with --set of other commands',
      many: true,
      completes: 'field',
    },
  ],
  options: [
    option('--as <user>', 'id, e-mail or name of the user who makes the change', {
      default:
        'the first user after that of --login whom nobody is logged in as, else the last one',
    }),
    skipChecksOption,
    dataOption,
  ],
  examples: {
    'Approve a work request':
      "mar sandbox set wr-2001 status=complete reason='Approved by the territory'",
    'End the logins of a user, as after a laptop was stolen': 'mar sandbox set u-ines password=new',
    'Move a due date, as a translator': 'mar sandbox set wr-2001 due.date=+3d --as u-marc',
  },
  async *run(context, input) {
    const [id = '', change] = input.arguments;
    if (change === undefined) throw missingArgument('path=value', 'sandbox set');
    context.session.refuseReadOnly();
    const sandbox = await findRunning(dataFolderOf(context.session, input));
    const found = await sandbox.ask<FoundRecord[]>('GET', `find?id=${encodeURIComponent(id)}`);
    const { kind, text, version } = onlyRecord(found, id);
    const name = `${resourceNoun(kind)} ${id}`;
    const before = parseRecord(text) as JsonObject;
    const record = await editCopy(context, input, kind, before);
    if (isSame(record, before)) {
      return yield outcome({ kind, id }, `No changes: ${name} already has these values`);
    }
    const saved = await sandbox.ask<{ by: string; text: string }>(
      'PUT',
      `records/${kind}/${encodeURIComponent(id)}`,
      { text: printJson(record), version, as: stringOption(input, 'as') },
    );
    const after = parseRecord(saved.text);
    yield recordResult(ServiceRecord.fromTree(after), factsView, { onlyFor: 'programs' });
    const { differences } = await import('../../../core/records/recordDiff.ts');
    const changes = ({ isTerminal, columns, style }: Canvas) => {
      const lines = differenceLines(differences(before, after), style, {
        width: isTerminal ? columns : undefined,
        redact: (value) => context.world.redactor.clean(value),
      });
      return `${[`Changed ${name} as ${saved.by}:`, ...lines].join('\n')}\n`;
    };
    yield textResult(changes, { onlyFor: 'people' });
  },
};

function onlyRecord(found: readonly FoundRecord[], id: string): FoundRecord {
  const [first, second] = found;
  if (!first) {
    const hint = runHint('To see a few ids', words`mar sandbox status`);
    throw new MarError('not-found', `the sandbox has no record with the id "${id}"`, { hint });
  }
  if (!second) return first;
  const kinds = found.map(({ kind }) => resourceNoun(kind)).join(', ');
  const hint = 'Change it on the page of the sandbox, where records are listed by kind.';
  throw usageError(`several records have the id "${id}": ${kinds}`, hint, { value: id });
}

/** Applies the changes, and refuses names and values that are probably a mistake. */
async function editCopy(context: Context, input: Input, kind: string, before: JsonObject) {
  const given = input.arguments
    .slice(1)
    .map((value) => ({ name: 'set', value, source: { value } }));
  const edits = await readEdits(context, { ...input, given });
  const record = copyOf(before) as JsonObject;
  const ofKind = Object.entries<Endpoint>(endpoints).filter(([, one]) => one.resource === kind);
  const [endpoint] = ofKind.find(([, one]) => one.body) ?? ofKind[0] ?? [];
  if (endpoint === undefined) {
    // Projects and studios are not documented, so nothing is known about their fields.
    (await import('../../../core/records/setFields.ts')).applyEdits(record, edits);
    return record;
  }
  const request = { endpoint: endpoint as EndpointId, input };
  await edit(context, request, record, edits);
  await refuseMistakes(context, request, record, before);
  return record;
}
