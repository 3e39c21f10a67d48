import { type MarError, usageError } from '../../errors.ts';
import { grouped } from '../../terminal/progressLine.ts';
import { plural } from '../summary.ts';
import type { Binding, JournalHeader } from './events.ts';

/** A batch is gone on with as it was begun, or not at all: rows might be sent twice. */
export function checkBinding(
  journal: string,
  header: JournalHeader,
  now: Binding,
  rows: number,
): void {
  const changed = differences(header, now, rows);
  if (changed.length > 0) throw changedError(journal, changed);
}

function differences(header: JournalHeader, now: Binding, rows: number): string[] {
  const named: [string, string, string][] = [
    ['the command', header.command, now.command],
    // Journals of version 1 know the origin alone.
    header.baseUrl === undefined
      ? ['the service', header.origin, now.origin]
      : ['the service', header.baseUrl, now.baseUrl ?? now.origin],
    ['the account', header.account, now.account],
    ['the slice (--shard)', header.shard, now.shard],
    ['the changes', header.changes.join(' ') || 'none', now.changes.join(' ') || 'none'],
  ];
  const changed = named
    .filter(([, before, after]) => before !== after)
    .map(([what, before, after]) => `${what}: it was ${before}, now it is ${after}`);
  if (header.sha256 !== now.sha256) {
    const count =
      header.rows === rows ? '' : `: it had ${plural(header.rows)}, now ${grouped(rows)}`;
    changed.push(`the input: its content is not what it was on ${header.at}${count}`);
  }
  return changed;
}

function changedError(journal: string, changed: readonly string[]): MarError {
  return usageError(
    [`this is not the batch that ${journal} was begun for`, ...changed].join('\n'),
    'nothing was sent. New rows go into a file of their own. --restart begins anew, with every row, and keeps the old journal',
  );
}
