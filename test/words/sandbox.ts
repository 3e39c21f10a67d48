/** What the sandbox says: its commands, its data folder, its responses and its page. */
export const sandboxWords = {
  // Starting and stopping
  notRunning: 'The sandbox is not running',
  stopped: (baseUrl: string) => `Stopped the sandbox at ${baseUrl}`,
  portInUse: (port: string) => `port ${port} is in use`,

  // The data folder
  databaseOfOtherProgram: (file: string) => `${file} belongs to another program`,
  databaseOfOtherVersion: 'another version of mar',
  hasRecords: 'already has records',

  // Responses
  wrongLogin: 'wrong e-mail or password',
  notJson: 'not valid JSON',

  // The page
  connecting: 'Connecting to the sandbox',
  noRequests: 'No requests yet',
  selectRecord: 'Select a record',
  noChanges: 'No changes yet.',
  changedMeanwhile: 'Somebody changed this record meanwhile',
  partsHidden: 'The page hides parts of it. To change it: mar sandbox set',
  wasReset: 'The sandbox was reset.',
};
