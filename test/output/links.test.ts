import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { mar } from '../harness/mar.ts';
import { recordService } from '../harness/recordService.ts';

const request = (id: string, view: unknown) =>
  JSON.stringify({ _id: id, status: 'in-progress', urls: { view } });

async function show(ids: readonly string[], view: unknown, more: Record<string, string> = {}) {
  const records = ids.map((id) => [`/workrequests/${id}`, request(id, view)]);
  const { env } = await recordService(Object.fromEntries(records));
  const variables = { ...env, VTE_VERSION: '7600', ...more };
  const run = await mar(['wr', 'get', ...ids], { env: variables, columns: 100 });
  expect(run.code, run.stderr).toBe(0);
  return run.stdout;
}

const page = 'https://desk.example/requests/:workRequest';
/** The address and the text of each link: OSC 8 before the text, and again after it. */
const linksIn = (text: string) =>
  text
    .split('\x1b]8;;')
    .filter((part) => part.startsWith('h'))
    .map((part) => part.split('\x1b\\'))
    .map(([url, label = '']) => [url, stripVTControlCharacters(label)]);

describe('ids on a terminal that opens links', () => {
  it('are links to the web page of the record, in tables and cards', async () => {
    expect(linksIn(await show(['wr-1', 'wr-2'], page))).toEqual([
      ['https://desk.example/requests/wr-1', 'wr-1'],
      ['https://desk.example/requests/wr-2', 'wr-2'],
    ]);
    expect(linksIn(await show(['wr-1'], page))).toEqual([
      ['https://desk.example/requests/wr-1', 'Work request wr-1'],
    ]);
  });

  it('keep the columns of the table', async () => {
    const linked = await show(['wr-1', 'wr-2'], page);
    const plain = await show(['wr-1', 'wr-2'], undefined);
    expect(stripVTControlCharacters(linked)).toBe(stripVTControlCharacters(plain));
  });

  it.each([
    'http://desk.example/:workRequest',
    'http://127.0.0.1/:workRequest',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user:secret@desk.example/:workRequest',
    'https://desk.example/:workRequest/:code',
    42,
  ])('are no links to %j', async (view) => {
    expect(await show(['wr-1'], view)).not.toContain('\x1b]8');
  });

  it('cannot be made to end the escape sequence', async () => {
    const stdout = await show(['wr-1'], `${page}/\x1b\\\x07é\u202e`);
    const [[url = ''] = []] = linksIn(stdout);
    expect(url).toMatch(/^https:\/\/desk\.example\/[\x21-\x7e]+$/);
    expect(stdout).not.toContain('\x07');
  });
});

it.each([
  ['NO_COLOR', '1'],
  ['VTE_VERSION', ''],
  ['FORCE_HYPERLINK', '0'],
  ['CI', '1'],
  ['TERM', 'dumb'],
])('ids are plain text with %s=%s', async (name, value) => {
  expect(await show(['wr-1'], page, { [name]: value })).not.toContain('\x1b]8');
});
