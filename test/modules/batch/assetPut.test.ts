import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { no, typing } from '../../core/orders/shop.ts';
import { type AssetsService, assetsService } from '../../harness/assetsService.ts';
import { mar, startMar, temporaryFolder } from '../../harness/mar.ts';
import { failure } from '../../harness/marWith.ts';
import { batchWords } from '../../words/batch.ts';
import { batchOf, jsonLines, newBatch as newCreates, numbered } from './harness.ts';

const asset = (number: number) => ({
  _id: `a-${number}`,
  name: `Name ${number}`,
  type: 'promo',
  usage: { online: false, broadcast: true },
  previews: [
    { _id: `p-${number}a`, label: 'first' },
    { _id: `p-${number}b`, label: 'second' },
  ],
  created: 1_796_230_800_000,
  workflow: { phase: 'WIP' },
});

const service = (options = {}) => assetsService([asset(1), asset(2), asset(3)], options);

/** A batch for a service of its own. */
async function newBatch(content: string | Buffer, { name = 'assets.csv', tags = false } = {}) {
  const assets = await service({ tags });
  return { assets, ...changesOf(assets, content, name) };
}

function changesOf(assets: AssetsService, content: string | Buffer, name = 'assets.csv') {
  const batch = batchOf(assets, content, name, 'asset put');
  const undo = (...more: string[]) => batch.verb('undo', [...more, '--yes']);
  return { ...batch, undo, undoJournal: `${batch.file}.undo.mar-journal` };
}

/** A service whose first asset was shown, and then changed by others. */
async function shownThenChanged() {
  const assets = await service();
  await mar(['asset', 'get', 'a-1'], assets);
  assets.change('a-1', { name: 'Theirs' });
  return assets;
}

const done = (count: number) => ({
  code: 0,
  stdout: `${count} row${count > 1 ? 's' : ''}: ${count} done\n`,
});

describe('asset put --batch', () => {
  it('takes the CSV of asset get without a warning, and warns of a field of no record', async () => {
    const assets = await service();
    const csv = await mar(['asset', 'get', 'a-1', 'a-2', '-o', 'csv'], assets);
    const sheet = csv.stdout.replace('WIP', 'FINAL');
    const { run } = changesOf(assets, sheet);
    expect(await run(['--check'])).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await run(['--strict']);
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('warning');
    expect(assets.asset('a-1')).toMatchObject({ workflow: { phase: 'FINAL' } });
    const other = changesOf(assets, '_id,zzzz.phase\na-1,x\n', 'other.csv');
    expect((await other.run()).stderr).toMatch(/^warning: .*"zzzz"/m);
    const slip = changesOf(assets, '_id,usage.onlin\na-1,true\n', 'slip.csv');
    expect(await slip.fails(2, ['--check'])).toContain('usage.online');
  });

  it('changes no text of which CSV leaves the query of an address out', async () => {
    const assets = await service();
    assets.change('a-1', { name: 'See https://x.example/p?id=5 now' });
    const csv = await mar(['asset', 'get', 'a-1', '--columns', '_id,name', '-o', 'csv'], assets);
    expect(csv.stdout).not.toContain('id=5');
    const { run } = changesOf(assets, csv.stdout);
    expect(await run()).toMatchObject({ code: 0, stdout: batchWords.allOrderedBefore('1 row') });
  });

  it('changes assets by a workbook, and takes that back', async () => {
    const rows = [
      ['Changes'],
      ['Id', 'Name', 'Usage online'],
      ['a-1', 'New 1', true],
      ['a-2', null, 'yes'],
    ];
    const book = await writeXlsx({ sheets: [{ name: 'Changes', rows }] });
    const { assets, ends, undo } = await newBatch(Buffer.from(book), { name: 'assets.xlsx' });
    await ends(0, '2 rows: 2 done');
    expect(assets.asset('a-1')).toMatchObject({ name: 'New 1', usage: { online: true } });
    expect((await undo('--yes')).code).toBe(0);
    expect([assets.asset('a-1'), assets.asset('a-2')]).toEqual([asset(1), asset(2)]);
  });

  it('changes the fields of each row and keeps the rest of the record', async () => {
    const { assets, ends } = await newBatch('_id,name,usage.online\na-1,New 1,true\na-2,,true\n');
    await ends(0, '2 rows: 2 done');
    const usage = { online: true, broadcast: true };
    expect(assets.asset('a-1')).toEqual({ ...asset(1), name: 'New 1', usage });
    expect(assets.asset('a-2')).toEqual({ ...asset(2), usage });
  });

  it('does not write rows that change nothing, and shows how many', async () => {
    const { assets, ends, run, verb } = await newBatch('_id,name\na-1,Name 1\na-2,New\n');
    await ends(0, '2 rows: 1 done, 1 unchanged');
    expect(assets.written()).toEqual(['a-2']);
    expect((await verb('status')).stdout).toBe('2 rows: 1 done, 1 unchanged\n');
    await run();
    expect(assets.requests).toHaveLength(3);
  });

  it('replaces a list, and changes one element of it by its index', async () => {
    const { assets, fails } = await newBatch('_id,previews[1].label,tags\na-1,changed,x;y\n');
    await fails(0, ['--map', 'tags=tags']);
    const previews = [asset(1).previews[0], { _id: 'p-1b', label: 'changed' }];
    expect(assets.asset('a-1')).toEqual({ ...asset(1), previews, tags: 'x;y' });
  });

  it('merges objects of JSON rows, sets null, and applies --set and --unset to every row', async () => {
    const rows =
      '{"_id":"a-1","usage":{"online":true},"extra":null}\n{"_id":"a-2","previews":[]}\n';
    const { assets, fails } = await newBatch(rows, { name: 'assets.jsonl' });
    await fails(0, ['--set', 'tags[+]=x', '--unset', 'type']);
    const { type: _, ...first } = asset(1);
    const { type: __, ...second } = asset(2);
    const usage = { online: true, broadcast: true };
    expect(assets.asset('a-1')).toEqual({ ...first, usage, extra: null, tags: ['x'] });
    expect(assets.asset('a-2')).toEqual({ ...second, previews: [], tags: ['x'] });
  });

  it('keeps numbers that JavaScript cannot hold, in the record and in the journal', async () => {
    const assets = await service();
    const record = (size: string) => `{"_id":"a-1","size":${size},"ratio":1.0,"name":"x"}`;
    assets.stored.set('a-1', record('12345678901234567890'));
    const row = '{"_id":"a-1","size":98765432109876543210}\n';
    const { fails, undo } = changesOf(assets, row, 'r.jsonl');
    await fails(0);
    expect(assets.stored.get('a-1')).toBe(record('98765432109876543210'));
    expect((await undo()).code).toBe(0);
    expect(assets.stored.get('a-1')).toBe(record('12345678901234567890'));
  });

  it('refuses rows without _id, with an _id twice, and with values of a wrong type', async () => {
    const rows = '{"_id":"a-1","name":7}\n{"name":"x"}\n{"_id":"a-2"}\n{"_id":"a-2","name":"y"}\n';
    const { assets, fails, journal } = await newBatch(rows, { name: 'assets.jsonl' });
    expect(JSON.parse(await fails(2, ['--json'])).error.rows).toMatchObject([
      { row: 1, field: 'name' },
      { row: 2, field: '_id' },
      { row: 4, field: '_id', message: expect.stringContaining('a-2') },
    ]);
    expect(existsSync(journal)).toBe(false);
    expect(assets.requests).toEqual([]);
  });

  it('refuses a value that is close to that of the record, from --set too', async () => {
    const { assets, ends } = await newBatch('_id,name\na-1,New\n');
    assets.change('a-1', { workflow: { phase: 'WIP', definition: { phases: ['CONFORM'] } } });
    const set = ['--set', 'workflow.phase=CONFROM'];
    const stderr = await ends(8, '1 row: 0 done, 1 invalid', set);
    expect(stderr).toContain('"CONFORM"');
    expect(stderr).toContain('mar config set phase.CONFROM=ok');
    expect(assets.written()).toEqual([]);
  });

  it('reports a record that is not there, and checks the row again in the next run', async () => {
    const { assets, ends } = await newBatch('_id,name\na-9,New\na-1,New\n');
    expect(await ends(8, '2 rows: 1 done, 1 invalid')).toMatch(/Row 1 \(line 2\) .*a-9/);
    assets.stored.set('a-9', '{"_id":"a-9"}');
    await ends(0, '2 rows: 2 done (1 sent now, 1 earlier)');
    expect(assets.written()).toEqual(['a-1', 'a-9']);
  });

  it('is a conflict if the record changed since it was last read, until --force', async () => {
    const assets = await shownThenChanged();
    const { ends, fails, verb } = changesOf(assets, '_id,name\na-1,Mine\na-2,Mine\n');
    const stderr = await ends(8, '2 rows: 1 done, 1 conflict');
    expect(stderr).toMatch(/Row 1 \(line 2\) .*a-1.*name \(theirs "Theirs", yours "Mine"\)/);
    expect(stderr).toContain(batchWords.conflictRows('row 1'));
    const report = await verb('report', ['-o', 'csv']);
    expect(report.stdout).toMatch(/^1,conflict,,"asset a-1 /m);
    expect(assets.asset('a-1').name).toBe('Theirs');
    await ends(8, '2 rows: 1 done (0 sent now, 1 earlier), 1 conflict');
    await fails(8, ['--again=failed']);
    await fails(0, ['--again=failed', '--force']);
    expect(assets.asset('a-1').name).toBe('Mine');
  });

  it('is a conflict if the record changes between the read and the write', async () => {
    const { assets, ends, fails } = await newBatch('_id,name\na-1,Mine\n', { tags: true });
    assets.treat = (request) => {
      if (request === 'PUT a-1') assets.change('a-1', { slug: 'theirs' });
      return undefined;
    };
    await ends(8, '1 row: 0 done, 1 conflict');
    assets.treat = () => undefined;
    await fails(0, ['--again=failed']);
    expect(assets.asset('a-1')).toMatchObject({ name: 'Mine', slug: 'theirs' });
  });

  it('refuses to change a password, because the journal keeps what is replaced', async () => {
    const assets = await service();
    assets.change('a-1', { access: { password: 'old-secret' } });
    const { fails, journal } = changesOf(assets, '_id,access.password,name\na-1,new-secret,New\n');
    expect(await fails(8, ['--map', 'access.password=access.password'])).toContain(
      batchWords.passwordKept,
    );
    expect(assets.written()).toEqual([]);
    expect(readFileSync(journal, 'utf8')).not.toContain('secret');
  });

  it('writes a value again that a later version of the file had replaced', async () => {
    const { assets, ends, run, verb, file } = await newBatch('_id,name\na-1,X\na-2,X\n');
    await run();
    writeFileSync(file, '_id,name\na-1,Y\na-2,X\n');
    await run();
    writeFileSync(file, '_id,name\na-1,X\na-2,X\n');
    await ends(0, '2 rows: 2 done (1 sent now, 1 earlier)');
    expect(assets.asset('a-1').name).toBe('X');
    expect(assets.written()).toEqual(['a-1', 'a-2', 'a-1', 'a-1']);
    expect(await verb('status')).toMatchObject(done(2));
  });

  it('does not take its own write for a change of others later', async () => {
    const assets = await service();
    await mar(['asset', 'get', 'a-1'], assets);
    await changesOf(assets, '_id,name\na-1,First\n').run();
    await changesOf(assets, '_id,name\na-1,Second\n').fails(0);
    const single = await mar(['asset', 'put', 'a-1', '--set', 'name=Third'], assets);
    expect(single.code).toBe(0);
  });

  it('leaves rows pending that could not be read, and sends them in the next run', async () => {
    const { assets, ends, run } = await newBatch('_id,name\na-1,New\na-2,New\n');
    assets.treat = (request) => (request === 'GET a-1' ? 503 : undefined);
    const first = await run(['--retries', '0']);
    expect(first).toMatchObject({ code: 1, stdout: '2 rows: 1 done, 1 pending\n' });
    assets.treat = () => undefined;
    await ends(0, '2 rows: 2 done (1 sent now, 1 earlier)');
    expect(assets.written().sort()).toEqual(['a-1', 'a-2']);
  });

  it('leaves a row pending that is being read when the run is interrupted', async () => {
    const { assets, ends, argv } = await newBatch('_id,name\na-1,New\n');
    const interrupted = startMar(argv, assets);
    assets.treat = async () => {
      interrupted.signal('SIGINT');
      await interrupted.ended;
      return undefined;
    };
    const { code, stderr } = await interrupted.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('1 row: 0 done, 1 pending');
    expect(stderr).not.toContain('Row 1 ');
    assets.treat = () => undefined;
    await ends(0, '1 row: 1 done');
  });

  it('keeps the replaced values in a journal that only its owner can read', async () => {
    const { run, journal } = await newBatch('_id,name\na-1,New\n');
    await run();
    const text = readFileSync(journal, 'utf8');
    expect(text).toContain('"change":{"before":{"name":"Name 1"},"after":{"name":"New"}}');
    expect(text).not.toContain('previews');
    expect(statSync(journal).mode & 0o777).toBe(0o600);
  });

  it('does not send an unknown row again by itself; retry writes it if the record is as it was', async () => {
    const { assets, ends, run, verb } = await newBatch('_id,name\na-1,New\na-2,New\na-3,New\n');
    assets.treat = (request) => {
      if (!request.startsWith('PUT')) return undefined;
      return request === 'PUT a-2' ? 'reset after writing' : 'reset';
    };
    await ends(8, '3 rows: 0 done, 3 unknown');
    assets.treat = () => undefined;
    await ends(8, '3 rows: 0 done, 3 unknown');
    assets.change('a-3', { name: 'Theirs' });
    await verb('resolve', ['1=retry', '2=retry', '3=retry']);
    const { stdout, stderr } = await run();
    expect(stdout).toBe('3 rows: 1 done, 1 unchanged, 1 conflict\n');
    expect(stderr).toContain(batchWords.changedSinceSent('asset a-3'));
    const names = ['a-1', 'a-2', 'a-3'].map((id) => assets.asset(id).name);
    expect(names).toEqual(['New', 'New', 'Theirs']);
    expect(assets.written().filter((id) => id === 'a-2')).toHaveLength(1);
  });
});

describe('asset put --batch --dry-run', () => {
  const rows = '_id,name,usage.online,slug\na-1,New,true,\na-2,Name 2,,s\na-3,Name 3,false,\n';

  it('prints field, before and after of each row, and writes nothing', async () => {
    const { assets, run, fails, journal } = await newBatch(rows);
    const { code, stdout, stderr } = await run(['--dry-run', '--jsonl']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(jsonLines(stdout)).toEqual([
      { row: 1, _id: 'a-1', field: 'name', before: 'Name 1', after: 'New' },
      { row: 1, _id: 'a-1', field: 'usage.online', before: false, after: true },
      { row: 2, _id: 'a-2', field: 'slug', after: 's' },
    ]);
    expect(assets.written()).toEqual([]);
    expect(existsSync(journal)).toBe(false);
    expect(await fails(0, ['--dry-run'])).toMatch(/3 fields in 2 rows.*1 row unchanged/);
  });

  it('reports conflicts and exits with 8', async () => {
    const batch = changesOf(await shownThenChanged(), rows);
    const { code, stdout, stderr } = await batch.run(['--dry-run', '-o', 'csv']);
    expect(code).toBe(8);
    expect(stdout).not.toContain('a-1');
    expect(stderr).toMatch(/Row 1 \(line 2\) .*a-1 [\s\S]*1 of 3 rows/);
  });
});

describe('batch undo', () => {
  it('is the command that a batch prints, if it wrote something', async () => {
    const { assets, fails, undo, file, undoJournal } = await newBatch('_id,name\na-1,New\n');
    expect(await fails(0)).toContain(`mar batch undo ${file}\n`);
    expect((await undo()).stderr).toContain(`mar batch undo ${undoJournal}\n`);
    const unchanged = changesOf(assets, '_id,name\na-1,Name 1\n');
    expect(await unchanged.fails(0)).not.toContain('batch undo');
  });

  it('needs --yes where nobody can be asked, or --dry-run', async () => {
    const { assets, run, verb } = await newBatch('_id,name\na-1,New\n');
    await run();
    expect(await failure(2, verb('undo'))).toMatch(/1 record\b[\s\S]*--yes/);
    expect((await verb('undo', ['--dry-run'])).code).toBe(0);
    expect(assets.written()).toEqual(['a-1']);
  });

  it('names what mar undo takes back before it asks', async () => {
    const { assets, run } = await newBatch('_id,name\na-1,New\na-2,New\n');
    const env = { MAR_LOG: path.join(temporaryFolder(), 'log.jsonl') };
    await run([], { env });
    const options = { env: { ...assets.env, ...env }, ...typing(no) };
    const { code, stderr } = await mar(['undo'], options);
    expect(code, stderr).toBe(130);
    expect(stderr).toMatch(/No\. 2 of 20\d\d-[^\n]* 2 × asset, assets\.csv: 2 done\n.*y\/N/s);
    expect(assets.asset('a-1').name).toBe('New');
  });

  it('writes the replaced values back, once, and can be undone itself', async () => {
    const rows = '_id,name,slug\na-1,New,s\na-2,Name 2,\n';
    const { assets, run, undo, undoJournal } = await newBatch(rows);
    await run();
    const changed = assets.asset('a-1');
    expect(await undo()).toMatchObject(done(1));
    expect(assets.asset('a-1')).toEqual(asset(1));
    await undo();
    expect(assets.written()).toEqual(['a-1', 'a-1']);
    for (const file of [undoJournal, `${undoJournal}.input`]) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(await mar(['batch', 'undo', undoJournal, '--yes'], assets)).toMatchObject(done(1));
    expect(assets.asset('a-1')).toEqual(changed);
  });

  it('keeps what others changed in other fields, and refuses to overwrite the same field', async () => {
    const { assets, run, undo } = await newBatch('_id,name\na-1,New\na-2,New\n');
    await run();
    assets.change('a-1', { slug: 'theirs' });
    assets.change('a-2', { name: 'Theirs' });
    const { code, stdout, stderr } = await undo();
    expect({ code, stdout }).toEqual({ code: 8, stdout: '2 rows: 1 done, 1 conflict\n' });
    expect(stderr).toContain(batchWords.changedSinceWritten);
    expect(assets.asset('a-1')).toEqual({ ...asset(1), slug: 'theirs' });
    expect(assets.asset('a-2').name).toBe('Theirs');
    expect(stderr).toContain('with --force');
    expect(await undo('--force')).toMatchObject({ code: 0 });
    expect(assets.asset('a-2').name).toBe('Name 2');
  });

  it('takes back all changes of a record, also those of an edited file, and unknown ones', async () => {
    const { assets, run, undo, file } = await newBatch('_id,name\na-1,One\na-2,One\n');
    await run();
    writeFileSync(file, '_id,name,usage.online\na-1,Two,true\na-2,One,\na-3,New,\n');
    assets.treat = (request) => (request === 'PUT a-3' ? 'reset after writing' : undefined);
    expect((await run()).stdout).toBe('3 rows: 2 done (1 sent now, 1 earlier), 1 unknown\n');
    assets.treat = () => undefined;
    const { stdout } = await undo('--dry-run', '-o', 'csv');
    expect(parseCsv(stdout)).toEqual([
      ['row', '_id', 'field', 'before', 'after'],
      ['1', 'a-1', 'name', 'Two', 'Name 1'],
      ['1', 'a-1', 'usage.online', 'true', 'false'],
      ['2', 'a-2', 'name', 'One', 'Name 2'],
      ['3', 'a-3', 'name', 'New', 'Name 3'],
    ]);
    expect(await undo()).toMatchObject(done(3));
    expect([1, 2, 3].map((number) => assets.asset(`a-${number}`))).toEqual([1, 2, 3].map(asset));
  });

  it('says that it was done before, and how to do it again after it was undone', async () => {
    const { assets, file, run, undo, undoJournal } = await newBatch('_id,name\na-1,New\n');
    await run();
    const command = `mar batch undo ${file} --again=all`;
    expect((await undo()).stderr).not.toContain(command);
    await mar(['batch', 'undo', undoJournal, '--yes'], assets);
    expect(await undo()).toMatchObject({ code: 0, stderr: expect.stringContaining(command) });
    expect(assets.asset('a-1').name).toBe('New');
    expect(await undo('--again=all')).toMatchObject(done(1));
    expect(assets.asset('a-1')).toEqual(asset(1));
  });

  it('belongs to one journal: a batch that was started over can be undone again', async () => {
    const { assets, run, ends, undo, undoJournal } = await newBatch('_id,name\na-1,New\n');
    await run();
    await undo();
    await ends(0, '1 row: 1 done', ['--again=all', '--yes']);
    expect(assets.asset('a-1').name).toBe('New');
    expect((await undo('--dry-run', '--jsonl')).stdout).toContain('"after":"Name 1"');
    const again = await undo();
    expect(again).toMatchObject(done(1));
    expect(again.stderr).toContain(`${undoJournal}.1`);
    expect(assets.asset('a-1')).toEqual(asset(1));
    expect((await undo()).stdout).toBe('1 row: 1 done (0 sent now, 1 earlier)\n');
    expect(assets.written()).toHaveLength(4);
  });

  it('does not replace the journal of another batch', async () => {
    const { assets, run, undo, journal } = await newBatch('_id,name\na-1,New\n');
    const other = changesOf(assets, '_id,name\na-2,New\n');
    await run();
    await other.run();
    expect(await failure(2, undo('--journal', other.journal))).toContain(other.journal);
    expect([journal, `${other.journal}.1`].map(existsSync)).toEqual([true, false]);
  });

  it('needs a journal of asset put at this service, with changes', async () => {
    const { assets, run, undo, journal } = await newBatch('_id,name\na-1,Name 1\n');
    expect(await undo()).toMatchObject({ code: 2 });
    await run();
    expect((await undo()).stderr).toContain(batchWords.nothingToUndo);
    const MAR_BASE_URL = assets.env.MAR_BASE_URL?.replace('127.0.0.1', 'localhost') ?? '';
    const other = { env: { ...assets.env, MAR_BASE_URL } };
    const elsewhere = await failure(2, mar(['batch', 'undo', journal], other));
    expect(elsewhere).toContain(assets.env.MAR_BASE_URL);
    const { batch } = await newCreates(numbered(1));
    await batch.run();
    const stderr = await failure(2, batch.verb('undo'));
    expect(stderr).toContain('asset put and user put');
    expect(stderr).toContain(`mar batch report ${batch.file}\n`);
  });
});

describe('on a slow disk, between the read and the write of a row', () => {
  /** Runs a batch of one row, while another user changes its record, or removes it, before the second read. */
  async function interrupted(change: object | 'removed', ...flags: string[]) {
    const batch = await newBatch('_id,name\na-1,New\n');
    batch.assets.treat = (request, count) => {
      if (request !== 'GET a-1' || count !== 2) return undefined;
      if (change === 'removed') return 404;
      batch.assets.change('a-1', { ...(change as object) });
      return undefined;
    };
    let ms = 0;
    // A second passes at each look at the clock.
    const elapsedMs = () => {
      ms += 1000;
      return ms;
    };
    const { code, stdout } = await batch.run(flags, { elapsedMs });
    return { ...batch, outcome: [code, stdout.trim()] };
  }

  it('others may change another field, which is kept', async () => {
    const { assets, outcome, undo } = await interrupted({ type: 'trailer.intl' });
    expect(outcome).toEqual([0, '1 row: 1 done']);
    expect(assets.asset('a-1')).toEqual({ ...asset(1), name: 'New', type: 'trailer.intl' });
    await undo();
    expect(assets.asset('a-1')).toEqual({ ...asset(1), type: 'trailer.intl' });
  });

  it('others may change the same field: the row is a conflict, and nothing is written', async () => {
    const { assets, outcome } = await interrupted({ name: 'Theirs' });
    expect(outcome).toEqual([8, '1 row: 0 done, 1 conflict']);
    expect(assets.written()).toEqual([]);
  });

  it('others may make the same change: the row is unchanged, and an undo leaves it alone', async () => {
    const { assets, outcome, undo } = await interrupted({ name: 'New' });
    expect(outcome).toEqual([0, batchWords.allOrderedBefore('1 row').trim()]);
    expect(assets.written()).toEqual([]);
    expect(await undo()).toMatchObject({ code: 2 });
    expect(assets.asset('a-1').name).toBe('New');
  });

  it('an undo of a forced row brings back what it replaced in the end', async () => {
    const { assets, outcome, undo } = await interrupted({ name: 'Theirs' }, '--force');
    expect(outcome).toEqual([0, '1 row: 1 done']);
    // The second read found other values to replace, so they were recorded, and compared once more.
    expect(assets.requests).toEqual(['GET a-1', 'GET a-1', 'GET a-1', 'PUT a-1']);
    await undo();
    expect(assets.asset('a-1').name).toBe('Theirs');
  });

  it('others may remove the record: the row is invalid, and a later run may send it', async () => {
    const { assets, outcome, ends } = await interrupted('removed');
    expect(outcome).toEqual([8, '1 row: 0 done, 1 invalid']);
    expect(assets.written()).toEqual([]);
    assets.treat = () => undefined;
    await ends(0, '1 row: 1 done');
  });
});
