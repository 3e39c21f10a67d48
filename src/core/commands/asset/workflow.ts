import { endpoints } from '../../api/endpoints.ts';
import { MarError } from '../../errors.ts';
import { fieldOf, fieldsOf, valueAt } from '../../json/fields.ts';
import { ServiceRecord } from '../../json/serviceRecord.ts';
import { isObject, type Json, type JsonObject, toPlain } from '../../json/value.ts';
import { type CardRow, renderCard } from '../../output/card.ts';
import { type Canvas, recordResult } from '../../output/result.ts';
import type { Column } from '../../output/viewType.ts';
import { namesIn, partiesOf } from '../../records/phases.ts';
import { remember } from '../../session/remember.ts';
import { cellText } from '../../values/cell.ts';
import { pluralNoun } from '../../values/numbers.ts';
import type { Command } from '../command.ts';

const columns: readonly Column[] = [
  { title: 'Phase', path: 'phase', kind: 'id' },
  { title: 'Present', path: 'isPresent' },
  { title: 'Terminal', path: 'terminal' },
  { title: 'Groups', path: 'groups', importance: 2 },
  { title: 'Users', path: 'users', importance: 1 },
];

export const command: Command = {
  isPaged: true,
  summary: 'Show the workflow phases of an asset, its current phase, and who may act',
  details: 'An asset may come without its workflow; a work request may include that of its asset.',
  arguments: [{ name: 'id', summary: 'id of the asset', completes: { idOf: 'Asset' } }],
  examples: {
    'Show the workflow of an asset': 'mar asset workflow a-1001',
    'Print only the current phase': 'mar asset workflow a-1001 --jq .phase',
  },
  async *run(context, { arguments: [id] }) {
    const client = await context.session.client();
    const record = await client.call(endpoints.assetGet, { id });
    await remember(context.session, 'Asset', [{ id, record }]);
    const asset = record.tree;
    const workflow = fieldOf(asset, 'workflow') as Json | undefined;
    if (!isObject(workflow)) {
      throw new MarError('not-found', `the service returned asset ${id} without a workflow`);
    }
    const phases = phasesOf(workflow);
    const drawing = ({ columns: width, style }: Canvas) => {
      const names = namesIn(record.tree);
      const named = (one: string) => {
        const name = names.get(one) ?? context.session.userName(one);
        return name === undefined ? one : `${name} (${one})`;
      };
      const sections = [
        { heading: 'Phases', rows: phases.map((phase) => phaseRow(phase, named)) },
        { lines: approvals(workflow) },
      ];
      const at = (path: string) => cellText(valueAt(asset, path));
      const [workflowId, phase] = [at('workflow.id'), at('workflow.phase')];
      const card = {
        title: at('name') || `Asset ${at('_id')}`.trim(),
        subtitle: [at('_id'), workflowId && `workflow ${workflowId}`, phase && `Phase ${phase}`]
          .filter(Boolean)
          .join(', '),
        sections,
      };
      return renderCard(card, width, style);
    };
    const rows = phases.map(({ row }) => row);
    yield recordResult(ServiceRecord.fromTree(workflow), { columns }, { rows, drawing });
    if (phases.length === 0) context.reporter.reportAtEnd('The workflow has no phases');
  },
};

function phaseRow(
  { name, isPresent, isTerminal, groups, users }: Phase,
  named: (id: string) => string,
): CardRow {
  const notes = [isPresent && 'now', isTerminal && 'last'].filter(Boolean).join(', ');
  const lines = groups.map(({ id, work }) => `group ${named(id)}${work && `: ${work}`}`);
  const who = users.map(named).join(', ');
  if (users.length > 0) lines.push(`${pluralNoun(users.length, 'user')} ${who}`);
  return [notes ? `${name} (${notes})` : name, lines.join('\n') || 'no groups or users'];
}

function approvals(workflow: JsonObject): string[] {
  const stated = { graphics: 'requireGraphicsApproval', offlines: 'requireOfflineApproval' };
  return Object.entries(stated).flatMap(([what, field]) => {
    const isNeeded = valueAt(workflow, `definition.${field}`);
    if (typeof isNeeded !== 'boolean') return [];
    return `Approval of ${what}: ${isNeeded ? 'needed' : 'not needed'}`;
  });
}

type Phase = ReturnType<typeof phasesOf>[number];

/** The defined phases in order, and the present one if it is not defined. `row` is for programs. */
function phasesOf(workflow: JsonObject) {
  const present = cellText(valueAt(workflow, 'phase'));
  const phases = fieldsOf(valueAt(workflow, 'definition.phases')) ?? [];
  const isDefined = phases.some(([name]) => name === present);
  if (present !== '' && !isDefined) phases.push([present, undefined]);
  return phases.map(([name, phase]) => {
    const { groups, users } = partiesOf(phase);
    const isPresent = name === present;
    const terminal = toPlain((valueAt(phase, 'terminal') ?? null) as Json);
    const ids = groups.map(({ id }) => id);
    const row = ServiceRecord.fromValue({ phase: name, isPresent, terminal, groups: ids, users });
    return { name, isPresent, isTerminal: terminal === true, groups, users, row };
  });
}
