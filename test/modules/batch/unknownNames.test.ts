import { describe, expect, it } from 'vitest';
import { assetsService } from '../../harness/assetsService.ts';
import { fakeService } from '../../harness/fakeService.ts';
import { mar, marOk, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { storedAccount } from '../../harness/storedAccount.ts';
import { writeService } from '../../harness/writeService.ts';
import { requestWords } from '../../words/requests.ts';
import { batchOf } from './harness.ts';

const { didYouMean, unknownField } = requestWords;

describe('an unknown field of a record', () => {
  it.each([
    ['rows.jsonl', '{"language":"fra"}\n{"langauge":"deu"}\n', `row 2 (line 2): ${unknownField}`],
    ['rows.csv', 'language,langauge\nfra,x\ndeu,y\n', `error: ${requestWords.unknownColumn}`],
  ])('refuses the whole batch of %s before the first row is sent', async (name, rows, problem) => {
    const service = await writeService();
    const stderr = await batchOf(service, rows, name).fails(2);
    expect(stderr).toContain(`${problem} "langauge" ${didYouMean('language')}`);
    expect(service.received).toEqual([]);
    await batchOf(service, rows, name).fails(0, ['--skip-checks']);
    expect(service.received).toHaveLength(2);
  });

  it.each([
    ['rows.csv', '_id,nmae\na-1,Two\n', [], 'name'],
    ['rows.jsonl', '{"_id":"a-1","nmae":"x"}\n', [], 'name'],
    ['rows.csv', '_id,name\na-1,Two\n', ['--set', 'usage.onlnie=true'], 'usage.online'],
  ])('refuses a batch of changes before anything is read: %s %j %j', async (...row) => {
    const [name, rows, flags, meant] = row;
    const service = await assetsService([{ _id: 'a-1', name: 'One' }]);
    const argv = ['asset', 'put', '--batch', temporaryFile(rows, name), ...flags];
    expect(await failure(2, mar(argv, service))).toContain(didYouMean(meant));
    expect(service.requests).toEqual([]);
  });

  it('in a heading is never suggested as instructions', async () => {
    const service = await writeService();
    const rows = 'asset,language,Instrutions\na-1,fra,x\n';
    const stderr = await batchOf(service, rows, 'rows.csv').fails(2);
    expect(stderr).toContain(`${requestWords.unknownColumn} "Instrutions"\n`);
    expect(service.received).toEqual([]);
  });

  it('in a column is refused, or reported once if it was mapped', async () => {
    const service = await writeService();
    const rows = 'asset,auto,language,zebra\na-1,yes,fra,x\na-1,yes,deu,y\n';
    const fails = (code: number, ...flags: string[]) =>
      batchOf(service, rows, 'rows.csv').fails(code, flags);
    await fails(2);
    const stderr = await fails(0, '--map', 'zebra=zebra');
    expect(stderr).toMatch(new RegExp(`warning: ${unknownField} "zebra" .* string\n`));
    expect(stderr.split(unknownField)).toHaveLength(2);
    await fails(2, '--map', 'zebra=zebra', '--strict');
    expect(service.received).toHaveLength(2);
  });
});

it('a value that a row has several times is one problem of the row', async () => {
  const rows = 'asset,language,uses.items\na-1,fra,onlin;onlin\na-2,fra,onlin;onlin\n';
  const file = temporaryFile(rows, 'rows.csv');
  const argv = ['wr', 'create', '--batch', file, '--check', '--json'];
  const { error } = JSON.parse((await mar(argv)).stderr);
  expect(error.rows).toMatchObject([{ row: 1 }, { row: 2 }]);
});

it('many values of one kind have one line, which ends the refusal of all', async () => {
  const rows = ['Uno', 'Dos', 'Tres', 'Quatro', 'Cinco', 'Seis'].map((one) => `a-1,${one},online`);
  const file = temporaryFile(`asset,language,uses.items\n${rows.join('\n')}\n`, 'rows.csv');
  const { env } = await fakeService(() => '{"_id":"a-1","usage":{"online":true}}');
  const account = { env: storedAccount(temporaryFolder(), env.MAR_BASE_URL ?? '') };
  const batch = ['wr', 'create', '--batch', file, '--check'];
  const { code, stderr } = await mar(batch, account);
  expect(code, stderr).toBe(8);
  expect(stderr.match(/mar config set .*/g)).toEqual(["mar config set 'language.*=ok'"]);
  await marOk(['config', 'set', 'language.*=ok'], account);
  expect((await mar(batch, account)).code).toBe(0);
});
