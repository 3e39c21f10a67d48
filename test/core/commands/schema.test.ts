import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resources } from '../../../src/core/api/endpoints.ts';
import { mar, temporaryFolder } from '../../harness/mar.ts';
import { refused } from '../../harness/marWith.ts';

const published = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url));

it('mar schema lists the resources and where they are used, as JSON too', async () => {
  const run = await mar(['schema'], { columns: 120, env: { NO_COLOR: '1' } });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/^RESOURCE +ABOUT +ENDPOINTS$/m);
  for (const { name } of resources) expect(run.stdout).toMatch(new RegExp(`^${name} `, 'm'));
  const preview = { about: expect.stringContaining('preview'), endpoints: ['PUT /previews'] };
  const { stdout } = await mar(['schema', '--json']);
  expect(JSON.parse(stdout)).toContainEqual({ resource: 'preview', ...preview });
});

describe('mar schema RESOURCE', () => {
  it('is JSON for a file, whatever the setting for results is', async () => {
    const env = { MAR_CONFIG_DIR: temporaryFolder() };
    await mar(['config', 'set', 'output', 'yaml'], { env });
    const { stdout } = await mar(['schema', 'wr'], { env });
    expect(stdout).toBe(String(published('dist/schemas/wr.json')));
    expect((await mar(['schema', 'wr', '--jq', '.title'], { env })).stdout).toBe('Work request\n');
  });

  it.each([
    ...resources.map(({ name }) => [name, `dist/schemas/${name}.json`]),
    ['--openapi', 'dist/schemas/openapi.json'],
  ])('%s prints the published copy', async (word = '', file = '') => {
    const stdout = String(published(file));
    expect(await mar(['schema', word])).toEqual({ code: 0, stdout, stderr: '' });
  });

  it.each(['wr', 'WR', 'WorkRequest', 'workrequests', 'work-request'])('knows %s', async (word) => {
    const { stdout } = await mar(['schema', word]);
    expect(stdout).toContain('"$id": "urn:mar:schema:work-request-draft"');
  });

  it('lists what exists for an unknown word', async () => {
    const stderr = await refused(['schema', 'xyzzy']);
    for (const { name } of resources) expect(stderr).toContain(name);
  });

  it('is one line with --json, and hides no field as if it were a secret', async () => {
    const { stdout } = await mar(['schema', 'user', '--json']);
    expect(stdout.trimEnd()).not.toContain('\n');
    expect(JSON.parse(stdout).properties.password).toMatchObject({ type: 'string' });
  });

  it('lists the fields when a table is asked for', async () => {
    const { stdout } = await mar(['schema', 'wr', '-o', 'tsv']);
    const rows = stdout.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '));
    expect(rows[0]).toBe('field type');
    expect(rows).toEqual(
      expect.arrayContaining([
        ...['due Deadline', 'due.date integer or string', 'asset string or EmbeddedAsset'],
        ...['history object[]', 'audioFile string or null'],
      ]),
    );
    expect(stdout).toContain('uses.items\tstring[]\tfor example broadcast, online, dcp');
  });
});

it('mar schema --openapi does not go with a resource', async () => {
  expect(await refused(['schema', 'wr', '--openapi'])).toContain('Leave out wr');
});
