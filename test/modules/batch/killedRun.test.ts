import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shop } from '../../core/orders/shop.ts';
import { batchWords } from '../../words/batch.ts';

const orders =
  'asset,language,territory,use\na-1001,fin,FIN,online\na-1001,est,EST,online\na-1001,lav,LVA,online\n';

/** A batch that ran, and whose process was killed before it added an outcome to the log of the account. */
async function killed(argv: readonly string[], rows: string) {
  const made = await shop();
  const { run, file, logFile } = made;
  const input = file('rows.csv', rows);
  expect((await run([...argv, '--batch', input, '--yes'])).code).toBe(0);
  const lines = readFileSync(logFile(), 'utf8').split('\n');
  const intent = lines.findLastIndex((line) => line.startsWith('{"write"'));
  writeFileSync(logFile(), `${lines.slice(0, intent + 1).join('\n')}\n`);
  const log = async () => JSON.parse((await run(['log', '--json'])).stdout);
  return { ...made, input, log };
}

it.each<[string, (input: string) => string[]]>([
  ['goes on', (input) => ['wr', 'create', '--batch', input]],
  ['is decided about', (input) => ['batch', 'resolve', input]],
])('the log learns from the journal what was ordered once the batch %s', async (_, next) => {
  const { run, file, input, count } = await killed(['wr', 'create'], orders);
  const copy = file('copy.csv', orders);
  expect((await run(['wr', 'create', '--batch', copy, '--check'])).stdout).toContain('3 invalid');
  const before = await count();
  expect((await run(next(input))).code).toBe(0);
  const again = await run(['wr', 'create', '--batch', copy, '--yes']);
  expect(again).toMatchObject({ code: 0, stdout: batchWords.allOrderedBefore('3 rows') });
  expect(await count()).toBe(before);
});

it('the log learns it too once the batch starts over', async () => {
  const { run, input, log } = await killed(['wr', 'create'], orders);
  const states = async () => (await log()).map(({ state }: { state: string }) => state);
  expect(await states()).toContain('unknown');
  expect((await run(['wr', 'create', '--batch', input, '--again=all', '--yes'])).code).toBe(0);
  expect(await states()).not.toContain('unknown');
});

it('mar undo takes the changes of a killed batch back', async () => {
  const { run, log } = await killed(['asset', 'put'], '_id,type\na-1001,promo-2\n');
  const [{ number, state, final, takenBackWith }] = await log();
  expect({ state, final, takenBackWith }).toEqual({
    state: 'unknown',
    final: false,
    takenBackWith: `mar undo ${number}`,
  });
  expect((await run(['undo', '--yes'])).code).toBe(0);
  const { stdout } = await run(['asset', 'get', 'a-1001', '--json']);
  expect(JSON.parse(stdout).type).not.toBe('promo-2');
});
