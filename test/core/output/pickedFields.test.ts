import { describe, expect, it } from 'vitest';
import { marWith } from '../../harness/marWith.ts';

const asset =
  '{"_id":"a-1","name":"Trailer","created":12345678901234567890,"tags":["a","b"],"workflow":{"phase":"WIP","definition":{}}}';
const request =
  '{"_id":"wr-1","status":"new","asset":{"_id":"a-1","workflow":{"phase":"WIP"}},"materials":[]}';
const getAsset = ['asset', 'get', 'a-1'];
const getRequest = ['wr', 'get', 'wr-1'];

describe('--columns with JSON', () => {
  it.each([
    [['--json'], '{"_id":"a-1","workflow":{"phase":"WIP"}}\n'],
    [['--jsonl'], '{"_id":"a-1","workflow":{"phase":"WIP"}}\n'],
    [['-o', 'yaml'], '_id: a-1\nworkflow:\n  phase: WIP\n'],
  ])('picks the fields of a record, where they are: %j', async (format, expected) => {
    const run = await marWith(asset, [...getAsset, '--columns', '_id,workflow.phase', ...format]);
    expect(run).toEqual({ code: 0, stdout: expected, stderr: '' });
  });

  it('keeps the digits of numbers, elements of lists, and the order that was given', async () => {
    const argv = [...getAsset, '--columns', 'tags[1],created,workflow.definition,name', '--json'];
    expect((await marWith(asset, argv)).stdout).toBe(
      '{"tags":[null,"b"],"created":12345678901234567890,"workflow":{"definition":{}},"name":"Trailer"}\n',
    );
  });

  it('picks them from each record of a list; a missing one is null', async () => {
    const files = '[{"_id":"f-1","name":"a"},{"_id":"f-2"}]';
    const argv = ['file', 'list', '--columns', '_id,name', '--json'];
    const run = await marWith([files, '[]'], argv);
    expect(JSON.parse(run.stdout)).toEqual([
      { _id: 'f-1', name: 'a' },
      { _id: 'f-2', name: null },
    ]);
  });

  it('takes the title of a column', async () => {
    const run = await marWith(request, [...getRequest, '--columns', 'ID,STATUS', '--json']);
    expect(JSON.parse(run.stdout)).toEqual({ _id: 'wr-1', status: 'new' });
  });

  it('refuses a field that no record has, with the closest one', async () => {
    const run = await marWith(request, [...getRequest, '--columns', '_id,statu', '--json']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(run.stderr).error).toMatchObject({
      flag: '--columns',
      fields: [{ path: 'statu', suggestion: 'status' }],
    });
  });
});
