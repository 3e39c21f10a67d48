import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { writeService } from '../harness/writeService.ts';
import { batchOf } from './harness.ts';

const markIn = ({ tags }: Record<string, unknown>) => (tags as string[]).at(-1) ?? '';

it('puts a mark of the batch and the row into a list of each new record', async () => {
  const service = await writeService();
  const batch = batchOf(service, 'language,tags\nfra,a;b\ndeu,\n', 'rows.csv');
  expect((await batch.run(['--mark-field', 'tags'])).code).toBe(0);
  const byLanguage = new Map(service.received.map((body) => [body.language, body.tags]));
  expect(byLanguage.get('fra')).toEqual(['a', 'b', expect.stringMatching(/^mar-[a-z0-9]{5}-1$/)]);
  expect(byLanguage.get('deu')).toEqual([expect.stringMatching(/^mar-[a-z0-9]{5}-2$/)]);
});

it('puts no mark without the flag', async () => {
  const service = await writeService();
  const batch = batchOf(service, '{"language":"fra"}\n');
  await batch.run();
  expect(service.received).toEqual([{ language: 'fra' }]);
  expect(readFileSync(batch.journal, 'utf8')).not.toContain('mark');
});

it('puts the mark into text only where a row leaves it empty', async () => {
  const service = await writeService();
  const batch = batchOf(service, '{"language":"fra","instructions":"x"}\n{"language":"deu"}\n');
  const { code, stderr } = await batch.run(['--mark-field', 'instructions']);
  expect(code).toBe(2);
  expect(stderr).toContain('row 1 (line 1): instructions: already has a value');
  expect(service.received).toEqual([]);
  const { code: skipped } = await batch.run(['--mark-field', 'instructions', '--skip-invalid']);
  expect(skipped).toBe(8);
  expect(service.received).toEqual([
    { language: 'deu', instructions: expect.stringMatching(/^mar-[a-z0-9]{5}-2$/) },
  ]);
});

it.each(['due', 'auto', 'materials', 'tags[0]', 'due.date'])(
  'refuses --mark-field %s, which does not take text',
  async (field) => {
    const service = await writeService();
    const { code, stderr } = await batchOf(service, '{"language":"fra"}\n').run([
      '--mark-field',
      field,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--mark-field ${field}: the mark is text`);
    expect(service.received).toEqual([]);
  },
);

it('reports the marks of unknown rows, and sends a row again with the same mark', async () => {
  const service = await writeService((_, count) => (count === 2 ? 'reset' : {}));
  const batch = batchOf(service, '{"language":"fra"}\n{"language":"deu"}\n{"language":"ita"}\n');
  const flags = ['--mark-field', 'tags', '--concurrency', '1'];
  const first = await batch.run(flags);
  const mark = markIn(service.received[1] ?? {});
  expect(mark).toMatch(/-2$/);
  expect(first.stderr).toContain(`(mark ${mark})`);
  expect(first.stderr).toContain(`Marks to look for: ${mark}`);
  const report = path.join(temporaryFolder(), 'report.csv');
  const status = await batch.run(['--status', '--json', '--report', report]);
  expect(JSON.parse(status.stdout).results[1]).toMatchObject({ state: 'unknown', mark });
  expect(readFileSync(report, 'utf8')).toContain(`mark ${mark}`);
  // An edited file has other row numbers; its other rows are still the same ones.
  writeFileSync(
    batch.file,
    '{"language":"spa"}\n{"language":"ita"}\n{"language":"fra"}\n{"language":"deu"}\n',
  );
  const again = await batch.run([...flags, '--resolve', '2=retry']);
  expect(again).toMatchObject({ code: 0, stdout: '4 rows: 4 done (2 sent now, 2 earlier)\n' });
  expect(again.stderr).toContain(`(mark ${mark})`);
  const sentAgain = service.received.filter(({ language }) => language === 'deu');
  expect(sentAgain.map(markIn)).toEqual([mark, mark]);
  const marks = new Set(service.received.map(markIn));
  expect(marks.size).toBe(4);
});

it('belongs to the batch: another field is another batch', async () => {
  const service = await writeService();
  const batch = batchOf(service, '{"language":"fra"}\n');
  await batch.run(['--mark-field', 'tags']);
  const { code, stderr } = await batch.run();
  expect(code).toBe(2);
  expect(stderr).toContain('was --mark-field tags, now none');
});

it('is refused if it is probably a typo', async () => {
  const service = await writeService();
  const batch = batchOf(service, '{"language":"fra"}\n');
  const { code, stderr } = await batch.run(['--mark-field', 'tagz']);
  expect(code).toBe(2);
  expect(stderr).toContain('unknown field "tagz" (did you mean "tags"?)');
});
