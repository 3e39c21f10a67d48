/** The statuses that are documented; there are others. */
export const knownStatuses = {
  workRequest: ['awaiting-materials', 'incomplete'],
  translation: ['incomplete', 'submitted'],
} as const;

/** What a work request gets by itself: who it is, where it stands and what became of it. */
export const workRequestState: readonly string[] = [
  '_id',
  'from',
  'status',
  'reason',
  'history',
  'rejections',
  'encodes',
  'offlines',
  'files',
  'graphicsAutomationJobs',
  'translation',
  'graphicsTranslation',
  'urls',
  'created',
];

/** What is asked for first when one is made. */
export const workRequestFirst: readonly string[] = [
  'asset',
  'project',
  'language',
  'territory',
  'due',
  'instructions',
  'uses',
];
