/** What orders, plans, the board, today and the other commands for work requests say. */
export const requestWords = {
  // Fields that are wrong, or not there.
  missing: (field: string) => `${field}: missing`,
  empty: (flag: string) => `${flag} is empty`,
  unknownField: 'unknown field',
  unknownColumn: 'unknown column',
  didYouMean: (meant: string) => `(did you mean "${meant}"?)`,
  unknownUser: (user: string) => `unknown user "${user}"`,
  notUtf8: 'not valid UTF-8',
  notForUse: (use: string) => `not for the use ${use}`,

  // A record of the service in place of an order, and a copy of one.
  fetchedRecord: 'this is a fetched record, not an order',
  madeByService: (fields: string) => `makes ${fields};`,
  notCopied: (fields: string) => `Not copied: ${fields}`,

  // Writes and plans.
  writingTo: (host: string) => `Writing to ${host}`,
  planCannotHold: (what: string) => `a plan cannot hold ${what}`,
  notAPlan: 'is not a plan of mar',
  appliedBefore: 'was applied before',
  changedSincePlan: 'changed since the plan',
  canBeApplied: 'can be applied',
  nothingToSend: 'nothing to send',

  // The board and today.
  changed: (before: string, after: string) => `changed: status ${before} → ${after}`,
  oneChanged: '1 work request changed',
  oneNotUpdated: '1 work request not updated',
  couldNotBeRead: 'Could not be read',
  followed: (count: string) => `of ${count} followed on this machine`,
  opened: (count: string) => `${count} opened on this machine`,
  waitsFor: (people: string) => `waits for ${people}`,
  noTranslator: (canAct: string) => `it names no translator; can act: ${canAct}`,

  // Names and facts that the service does not tell.
  noUserNames: 'names of some users are not known',
  noTerritoryUsers: 'users of each territory are not known',
  noEmbargoHistory: 'changed or lifted since a download is not known',
  noPhases: 'The workflow has no phases',
  statusWithoutEntry: (status: string) =>
    `The status is now ${status}, but the history has no entry for it.`,

  // Addresses that are not opened.
  notHttps: 'does not use https',
  notComplete: 'is not a complete URL',

  respondsAgain: 'the service responds again',
};
