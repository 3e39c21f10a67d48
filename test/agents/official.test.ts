import { describe } from 'vitest';
import { clientKind } from '../harness/agent.ts';

/* The same tests once more, with the official client in place of lines of JSON. */

clientKind.isOfficial = true;

describe('with the official client', async () => {
  await import('./consent.test.ts');
  await import('./rows.test.ts');
  await import('./words.test.ts');
  await import('./survival.test.ts');
});
