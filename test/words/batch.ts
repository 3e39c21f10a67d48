/** What a batch says: its input, its journal, and what it did. Also what is said of orders that were placed before. */
export const batchWords = {
  // Its input
  readAgain: 'and a batch reads its rows again to resume',
  noField: 'no known field in the first line',
  rowsAboveHeader: (lines: string) => `The rows between them would be left out: ${lines}.`,
  wouldOverwrite: (flag: string) => `${flag} would overwrite`,
  writing: (records: string) => `Writing ${records}. `,
  wouldSend: (rows: string) => `Would send ${rows}`,
  // Its journal
  journalNeeded: 'Name one with --journal FILE.',
  notAJournal: (file: string) => `${file} is not a journal of mar`,
  notStarted: (file: string) => `this batch has not been started: ${file} has no journal`,
  damagedAt: (line: string) => `is damaged at line ${line}`,
  restore: 'Restore the journal from a backup',
  newerVersion: 'was written by a newer version of mar',
  journalChanged: 'was deleted, replaced or changed by another program',
  lockHint: 'Wait until it ends. If that process is gone, delete this lock file.',
  // An input that was edited
  gone: (file: string) => `${file}: no longer in the sheet, but ordered`,
  goneOrder: 'no longer in the sheet, but ordered: ',
  orderedWith: (order: string, sheet: string) => `ordered with ${order}, the sheet says ${sheet}`,
  rowGone: (row: string, file: string) => `${row} (no longer in ${file})`,
  maybeChanged: 'mar cannot tell whether the new rows are other versions of them',
  passwordNotCompared: 'password alone does not count as a change',
  // What happens to a row
  passwordKept: 'a batch cannot change a password',
  changedSinceSent: (asset: string) => `${asset} was changed since this row was sent`,
  changedSinceWritten: 'changed since the batch wrote it',
  resumeWith: (rows: string, command: string, input: string) =>
    `${rows} pending. To resume, run ${command} again, with ${input} and the flags that it had.`,
  sentAgain: 'sent again; the first one may have arrived too',
  twice: (rows: string) => `Sent again, may be there twice: ${rows}.`,
  // Why a run ends early, and how it goes on
  finishing: 'Finishing the rows in progress',
  serviceSilent: 'stopped because the service does not respond',
  serviceFails: 'stopped because the service keeps failing',
  serviceWantsWait: (time: string) => `stopped because the service asks to wait ${time}`,
  resume: (rows: string) => `${rows} pending. Run the same command again to resume.`,
  // Decisions about rows
  youSaid: 'you said it was created; no id',
  // What is not done
  unknownRows: (rows: string) => `Outcome unknown, not resent: ${rows}.`,
  refusedRows: (rows: string) => `Refused: ${rows}.`,
  conflictRows: (rows: string) => `Changed by others, not written: ${rows}.`,
  invalidRows: (rows: string) => `Invalid, not sent: ${rows}.`,
  fixInFile: 'Fix these rows in the file and run the same command again.',
  allFinished: 'The log has no unfinished batches, and no unknown outcomes',
  sameCommand: 'To resume, run the same command again',
  // Taking it back
  nothingToUndo: 'has no changes to undo',
  // Orders that were placed before
  orderedBefore: 'ordered before',
  allOrderedBefore: (rows: string) => `${rows}: all ordered or written before, nothing sent\n`,
  mayBeOrdered: 'may have been ordered',
  tooOld: (number: number) => `was created before No. ${number} of mar log was sent`,
  settled: (number: number, id: string) => `No. ${number} of the log is settled: it created ${id}`,
  notRecorded: 'warning: mar records no orders',
};
