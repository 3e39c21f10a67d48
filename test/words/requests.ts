/** What orders, today and the other commands for work requests say. */
export const requestWords = {
  // What is wrong with a field, a column or a flag.
  missing: (field: string) => `${field}: missing`,
  empty: (flag: string) => `${flag} is empty`,
  notUtf8: 'not valid UTF-8',
  unknownField: 'unknown field',
  unknownColumn: 'unknown column',
  unknownUser: (user: string) => `unknown user "${user}"`,
  notForUse: (use: string) => `not for the use ${use}`,

  sentIn: (unit: string) => `, sent in ${unit}`,

  // What is probably meant.
  didYouMean: (meant: string) => `(did you mean "${meant}"?)`,
  didYouMeanUser: (user: string) => `(did you mean ${user}?)`,

  // A record of the service in place of an order, and a copy of one.
  fetchedRecord: 'this is a fetched record, not an order',
  madeByService: (fields: string) => `the service makes ${fields}`,
  notCopied: 'Not copied:',

  // Writes.
  writingTo: (host: string) => `Writing to ${host}`,
  final: 'mar cannot take it back',
  noDueDate: 'no due date',
  noTerritory: 'no territory',
  dueFar: 'due in more than a year',
  unusual: (language: string, country: string) => `${language} in ${country} is unusual`,
  placedBefore: (id: string) => `the same order was placed before: ${id}`,

  unknownOrders: (count: string) => `${count} of this machine`,

  // Today, the history and a wait.
  changed: (before: string, after: string) => `changed: status ${before} → ${after}`,
  couldNotBeRead: 'Could not be read',
  followed: (count: string) => `of ${count} followed on this machine`,
  nothingToDo: 'Nothing needs your attention',
  mayBeRow: (id: string, row: string, file: string) => `${id} may be row ${row} of ${file}`,
  calmBatches: (count: number) => `Batches without a problem (${count})`,
  lateBefore: (count: number) => `${count} were late before`,
  waitsFor: (people: string) => `waits for ${people}`,
  noTranslator: (canAct: string) => `it names no translator; can act (assumed): ${canAct}`,
  noRule: (status: string, canAct: string) => `no rule for ${status}; can act (assumed): ${canAct}`,
  followsNothing: 'You follow no work request here',
  noRoleSet: (canAct: string) => `its rule names no role; can act (assumed): ${canAct}`,
  noIds: (file: string) => `${file} has no ids`,
  waitsForNobody: 'waits for nobody',
  byReading: (role: string) => `waits for the ${role}, assumed from the status`,
  unknownStatuses: (statuses: string) => `mar does not know the status ${statuses}, `,
  statusWithoutEntry: (status: string) =>
    `The status is now ${status}, but the history has no entry for it.`,
  respondsAgain: 'the service responds again',

  // What the service does not tell.
  noDownloads: 'the downloads were not searched: ',
  notSearched: 'lists no other work requests, events or notifications',
  eventSent: 'mar cannot see when people are told',
  noUserNames: 'names of some users are not known',
  noTerritoryUsers: 'users of each territory are not known',
  noEmbargoHistory: 'changed or lifted since a download is not known',
  noPhases: 'The workflow has no phases',

  // Addresses that are not opened.
  notHttps: 'does not use https',
  notComplete: 'is not a complete URL',
};
