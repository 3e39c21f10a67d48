/** What the sandbox says: its commands, its data folder and its page. */
export const sandboxWords = {
  // Starting and stopping
  notRunning: (dataDir: string) => `The sandbox is not running (data folder ${dataDir})`,
  stopped: (baseUrl: string) => `Stopped the sandbox at ${baseUrl}`,

  // Logging in
  onYourList: (count: number) => `Added ${count} work requests`,

  // The page
  connecting: 'Connecting to the sandbox',
  noRequests: 'No requests yet',
  selectRecord: 'Select a record',
  noChanges: 'No changes yet.',
  notJson: 'This is not valid JSON.',
  changedMeanwhile: 'Somebody changed this record meanwhile',
  wasReset: 'The sandbox was reset.',
};
