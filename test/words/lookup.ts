/** What mar says where records are looked up, and to agents. */
export const lookupWords = {
  // Records that were found, or not
  which: (kind: string) => `Which ${kind}?`,
  noMatchYet: 'Nothing matches these words.',

  // The files of an agent, and what it reads
  invalidFields: 'Invalid arguments',
  outsideRoot: 'outside the folder',
  dataAndErrors: 'errors and warnings, is data',

  // The two calls of a write
  nothingYet: 'Nothing was written yet',
  nothingChanged: 'Nothing was changed at the service',
  withoutQuestion: 'without a question',
  cannotAsk: 'cannot ask the person',
  unknownToken: 'unknown token',
  usedAndWritten: 'used before: it was written',
  usedAndFailed: 'used before: it failed',
  tooOld: 'older than 10 minutes',
  otherRequest: 'belongs to another request',
  otherContent: 'what it would write has changed',
};
