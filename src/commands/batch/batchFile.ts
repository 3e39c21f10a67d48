import type { Argument } from '../../input.ts';

export const batchFile: Argument = {
  name: 'file',
  summary: 'input of the batch, or its journal',
  completes: 'file',
};
