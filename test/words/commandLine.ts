/** What a command line that cannot be read gets: the mistake, and the nearest thing that exists. */
export const commandLineWords = {
  // What is wrong.
  unknownCommand: 'unknown command',
  unknownFlag: 'unknown flag',
  missingValue: 'missing value',
  invalidValue: 'invalid value',
  missingArgument: (name: string) => `missing argument <${name}>`,
  tooManyArguments: 'too many arguments',
  twoValues: (flag: string, one: string, other: string) =>
    `${flag} has two values: "${one}" and "${other}"`,
  alone: (flag: string) => `Write ${flag} alone.`,

  // What is probably meant.
  didYouMean: (meant: string) => `Did you mean ${meant}`,

  // What the service cannot do.
  cannotList: (records: string) => `cannot list or search ${records}`,
  cannotChange: (records: string) => `cannot change ${records}`,
  notSingle: (record: string) => `cannot return a single ${record}`,
  cannotDelete: (records: string) => `cannot delete or cancel ${records}`,
  noRequestsFor: (records: string) => `no requests for ${records}`,
  noDownload: 'no request that downloads a file',
};
