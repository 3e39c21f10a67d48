/** What is said when records are read, edited, guarded and written, and about dates as text. */
export const recordWords = {
  // Dates
  twoReadings: (text: string, readings: string) => `${text} has two readings: ${readings}`,
  skippedHour: (time: string, zone: string) => `${time} does not exist in ${zone}: clocks skip it`,
  localTime: 'It was read as local time, because the record has no tz',

  // Changes and records that cannot be written
  noStep: (path: string, what: string, step: string) => `${path}: ${what} and has no ${step}`,
  idChanged: (id: string) => `the _id of an asset cannot change: expected "${id}"`,
  noDifference: 'The current version cannot be read, so there is no diff to show.',
  nothingWritten: 'Nothing was written.',

  // The text of an editor
  keptText: (file: string) => `Your text is kept in ${file}`,
};
