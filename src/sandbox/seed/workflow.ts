/** The phases an asset goes through. Work can be asked for in all of them, shipped in the last. */
const definition = {
  phases: {
    WIP: {
      groups: [{ id: 'g-northlight', dng: ['dialogue'], usages: ['online'] }],
      users: ['u-ines', 'u-haruka'],
      terminal: false,
    },
    LOCK: {
      groups: [
        { id: 'g-northlight', dng: ['dialogue', 'graphics'], usages: ['online', 'broadcast'] },
        { id: 'g-translators', dng: ['dialogue'], usages: ['online'] },
      ],
      users: ['u-ines'],
      terminal: false,
    },
    FINAL: {
      groups: [
        {
          id: 'g-northlight',
          dng: ['dialogue', 'graphics', 'narration'],
          usages: ['online', 'broadcast', 'dcp'],
        },
      ],
      users: [],
      terminal: true,
    },
  },
  requireGraphicsApproval: true,
  requireOfflineApproval: false,
};

export const workflowIn = (phase: keyof typeof definition.phases) => ({
  id: 'wf-standard',
  phase,
  definition,
});
