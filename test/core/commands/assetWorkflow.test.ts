import { describe, expect, it } from 'vitest';
import { mar } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { recordService } from '../../harness/recordService.ts';
import { requestWords } from '../../words/requests.ts';

const workflow = {
  id: 'wf-1',
  phase: 'LOCK',
  definition: {
    phases: {
      WIP: { groups: [{ id: 'g-1', dng: ['dialogue'], usages: ['online'] }], users: ['u-1'] },
      LOCK: { groups: [], users: [], terminal: false },
      FINAL: { groups: [{ id: 'g-2' }], users: [], terminal: true },
    },
    requireGraphicsApproval: true,
    requireOfflineApproval: false,
  },
};
const asset = { _id: 'a-1', name: 'Trailer', workflow };

async function run(argv: string[], records: Record<string, object>, columns?: number) {
  const bodies = Object.entries(records).map(([path, record]) => [path, JSON.stringify(record)]);
  const { env } = await recordService(Object.fromEntries(bodies));
  return mar(['asset', 'workflow', ...argv], { env: { ...env, NO_COLOR: '1' }, columns });
}

const found = { '/assets/a-1': asset };

describe('asset workflow', () => {
  it('shows the phases, marks the present one and the end, and shows who may act', async () => {
    expect((await run(['a-1'], found, 80)).stdout).toBe(`Trailer
a-1, workflow wf-1, Phase LOCK

Phases
  WIP           group g-1: dialogue for online
                user u-1
  LOCK (now)    no groups or users
  FINAL (last)  group g-2

  Approval of graphics: needed
  Approval of offlines: not needed
`);
    // A phase that the definition does not have.
    const odd = { _id: 'a-1', workflow: { phase: 'HOLD', definition: { phases: { WIP: {} } } } };
    expect((await run(['a-1'], { '/assets/a-1': odd }, 60)).stdout).toContain('HOLD (now) ');
  });

  it('is the workflow as the service has it for programs, and a row a phase in a pipe', async () => {
    const expected = `${JSON.stringify(workflow)}\n`;
    expect((await run(['a-1', '--json'], found)).stdout).toBe(expected);
    expect((await run(['a-1'], found)).stdout).toBe(
      'WIP\tfalse\t\tg-1\tu-1\nLOCK\ttrue\tfalse\t\t\nFINAL\tfalse\ttrue\tg-2\t\n',
    );
  });

  it('needs an asset with a workflow', async () => {
    await failure(5, run(['a-1'], { '/assets/a-1': { _id: 'a-1' } }));
    await failure(2, run([], found));
  });

  it('reports it where a workflow names no phases', async () => {
    const empty = { ...asset, workflow: {} };
    const shown = await run(['a-1'], { '/assets/a-1': empty });
    expect(shown).toEqual({ code: 0, stdout: '', stderr: `${requestWords.noPhases}\n` });
  });
});
