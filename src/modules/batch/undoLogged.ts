import type { Command } from '../../core/commands/command.ts';

/** `mar undo` for what a batch has changed. */
export const withBatches = (command: Command): Command => ({
  ...command,
  async *run(context, input, program) {
    const { undoneWrite } = await import('../../core/commands/undo.ts');
    const { batch } = await undoneWrite(context, input);
    if (!batch) return yield* command.run(context, input, program);
    const { runBatch } = await import('./run.ts');
    yield* runBatch(context, {
      input,
      endpointId: 'assetPut',
      words: 'batch undo',
      undo: batch.journal,
    });
  },
});
