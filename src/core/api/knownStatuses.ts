/** The documented statuses; there are others. */
export const knownStatuses = {
  workRequest: ['awaiting-materials', 'incomplete'],
  translation: ['incomplete', 'submitted'],
} as const;
