import type { JsonObject } from '../../json/value.ts';
import { type Card, renderCard } from '../../terminal/card.ts';
import { cellText } from '../../terminal/cell.ts';
import { valueAt } from '../../terminal/flatten.ts';
import { railRoom, renderClosing, renderRail } from '../../terminal/rail.ts';
import { sanitise } from '../../terminal/sanitise.ts';
import { paintStatus } from '../../terminal/status.ts';
import type { Style } from '../../terminal/style.ts';
import { truncate } from '../../terminal/width.ts';
import type { Phase } from './phases.ts';

interface Place {
  width: number;
  style: Style;
  /** What is known of who has which id. */
  names: ReadonlyMap<string, string>;
}

type Naming = (id: string) => string;

/** The phases of an asset one below the other: where it is, where it ends, and who may act. */
export function drawWorkflow(
  asset: unknown,
  workflow: JsonObject,
  phases: readonly Phase[],
  place: Place,
): string[] {
  const { width, style, names } = place;
  const named: Naming = (id) => (names.has(id) ? `${names.get(id)} (${id})` : id);
  const stops = phases.map((phase) => ({
    isPresent: phase.isPresent,
    head: headOf(phase, place),
    lines: [...phase.groups.map((group) => groupLine(group, named)), userLine(phase, named)],
  }));
  return [
    ...renderCard(title(asset, workflow), width, style),
    '',
    ...renderRail(stops, width, style),
    ...renderClosing(approvals(workflow), width, style),
  ];
}

function title(asset: unknown, workflow: JsonObject): Card {
  const at = (path: string) => cellText(valueAt(asset, path));
  const id = cellText(valueAt(workflow, 'id'));
  return {
    title: at('name') || `Asset ${at('_id')}`.trim(),
    subtitle: [at('_id'), id === '' ? '' : `workflow ${id}`]
      .filter((part) => part !== '')
      .join(', '),
    badge: { text: cellText(valueAt(workflow, 'phase')), paint: paintStatus },
    sections: [],
  };
}

function headOf({ name, isPresent, isTerminal }: Phase, { width, style }: Place): string {
  const notes = [isPresent ? 'now' : '', isTerminal ? 'the end' : ''].filter((note) => note !== '');
  const note = notes.length === 0 ? '' : `  ${notes.join(', ')}`;
  const shown = truncate(sanitise(name), Math.max(6, railRoom(width) - note.length));
  return (isPresent ? style.bold(paintStatus(shown, style)) : shown) + style.dim(note);
}

/** `g-translators: dialogue for online`; what is asked for, for which use. */
function groupLine({ id, dng, usages }: Phase['groups'][number], named: Naming): string {
  const what = [dng, usages].filter((part) => part !== '').join(' for ');
  return what === '' ? `group ${named(id)}` : `group ${named(id)}: ${what}`;
}

function userLine({ groups, users }: Phase, named: Naming): string {
  const who = users.map(named).join(', ');
  if (users.length > 0) return `${users.length === 1 ? 'user' : 'users'} ${who}`;
  return groups.length === 0 ? 'nobody is named' : '';
}

/** What has to be approved, where the service says so. */
function approvals(workflow: JsonObject): string[] {
  const needs = (path: string) => valueAt(workflow, `definition.${path}`);
  const all = [
    ['graphics', needs('requireGraphicsApproval')],
    ['offlines', needs('requireOfflineApproval')],
  ];
  const words = (wanted: boolean) => all.filter(([, is]) => is === wanted).map(([what]) => what);
  const [yes, no] = [words(true).join(' and '), words(false).join(' and ')];
  if (yes === '') return no === '' ? [] : [`No approval needed: ${no}`];
  return [`Approval needed: ${yes}${no === '' ? '' : `; not needed: ${no}`}`];
}
