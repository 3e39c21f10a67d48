import { describe, expect, it } from 'vitest';
import { assetService } from '../../harness/assetService.ts';
import { contentRange, listService } from '../../harness/listService.ts';
import { mar } from '../../harness/mar.ts';
import { recordService } from '../../harness/recordService.ts';
import { outputWords } from '../../words/output.ts';

const asset = '{"_id":"a-1","name":"One"}';
const rename = ['asset', 'put', 'a-1', '--set', 'name=Two', '--columns', 'name'];

describe('--quiet', () => {
  it('hides where a record is written and what changes, and prints the record', async () => {
    const { env } = await assetService(asset);
    const loud = await mar(rename, { env });
    expect(loud.stderr).toMatch(/asset a-1.*One.*Two/s);
    expect(loud.stderr).toContain(outputWords.writingTo);
    const again = await assetService(asset);
    expect(await mar([...rename, '--quiet'], again)).toEqual({ ...loud, stderr: '' });
  });

  it('hides that a list goes on', async () => {
    const service = await listService({ size: 30, headers: contentRange(30) });
    const list = ['file', 'list', '--columns', '_id'];
    const loud = await mar(list, { env: service.env, columns: 80 });
    expect(loud.stderr).toContain(outputWords.hasMore('10', '30 records'));
    const quiet = await mar([...list, '-q'], { env: service.env, columns: 80 });
    expect(quiet).toEqual({ ...loud, stderr: '' });
  });

  it('keeps warnings', async () => {
    const { env } = await recordService({ '/assets/a-1': '{"_id":7}' });
    const { stderr } = await mar(['asset', 'get', 'a-1', '-q'], { env });
    expect(stderr).toMatch(/^warning: .*_id/);
  });

  it('keeps errors and their hints', async () => {
    const { env } = await recordService({});
    const get = ['asset', 'get', 'a-9'];
    const loud = await mar(get, { env });
    expect(loud).toMatchObject({ code: 5, stderr: expect.stringContaining('error: ') });
    expect(await mar([...get, '-q'], { env })).toEqual(loud);
  });

  it('keeps what --debug prints', async () => {
    const { env } = await recordService({ '/assets/a-1': asset });
    const traced = await mar(['asset', 'get', 'a-1', '--debug', '--quiet'], { env });
    expect(traced.stderr).toContain('GET ');
  });
});
