/** The statuses that are documented; there are others. */
export const knownStatuses = {
  workRequest: ['awaiting-materials', 'incomplete'],
  translation: ['incomplete', 'submitted'],
} as const;
