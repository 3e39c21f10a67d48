/** What a person reads beside the records: notes, warnings, and refusals of a format or a file. */
export const outputWords = {
  // Notes about a list.
  noRecords: 'No records found',
  hasMore: (shown: string, total: string) =>
    `Showing ${shown} of ${total}. Use --limit N or --all to see more.`,
  mayHaveMore: (shown: string) =>
    `Showing the first ${shown}; there may be more. Use --limit N or --all to see them.`,
  knownLanguages: 'Known languages',

  notApplied: (filter: string) => `the service did not apply ${filter}`,
  pageRefused: (size: string) => `The service refused a page of ${size} records`,

  // A list that could not be read as a whole.
  wholeList: (limit: string) => `that was the whole list, use --limit ${limit}`,
  listChanged: (repeated: string) =>
    `the list changed while mar was reading it: ${repeated} came twice, others may be missing. Run it again`,
  listStopped: (read: string, rest: string) =>
    `The list stopped after ${read}. For the rest, use --range ${rest}\n`,

  // Files.
  wrote: (what: string, file: string) => `Wrote ${what} to ${file}`,
  endless: 'a command that runs until you stop it',
  diskFull: 'disk is full',

  // The terminal.
  waiting: (whom: string) => `Waiting for ${whom}…`,
  writingTo: 'Writing to ',
  noPager: (command: string) => `pager not found: ${command}`,

  // A field of the service.
  notDocumented: 'not documented',

  // A bug of mar.
  bug: 'failed unexpectedly',
};
