/** What a batch says: its input, its journal, and what it did. */
export const batchWords = {
  resume: (rows: string) => `${rows} pending. Run the same command again to resume.`,
  journalNeeded: 'Name one with --journal FILE.',
};
