/**
 * Requests in progress at a time, unless the setting or the flag `concurrency` says otherwise. Pages
 * and writes cost the service more than reading single records.
 */
export const defaultConcurrency = { reads: 6, pages: 4, writes: 4 } as const;
