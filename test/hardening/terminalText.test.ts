import { describe, expect, it } from 'vitest';
import { texts } from '../core/output/samples.ts';
import { mar } from '../harness/mar.ts';
import { recordService } from '../harness/recordService.ts';

const get = ['asset', 'get', 'a-1', '--no-color'];
const zalgo = `Z${'\u0301\u0336\u0489'.repeat(40)}`;

/** Characters that hide in a text: zero width, tags, direction, selectors without a base, and floods. */
const hidden = {
  'a zero-width space': 'a\u200bb',
  'a word joiner': 'a\u2060b',
  'a byte-order mark': 'a\ufeffb',
  'a joiner between letters that it does not join': 'a\u200db\u200cc',
  'joiners in a row': '\u0645\u200c\u200c\u200c\u062e',
  'tag characters': 'hi\u{e0068}\u{e0069}',
  'direction marks': 'a\u200eb\u200fc\u061cd\u202ee\u2066f',
  'a grapheme joiner': 'a\u034fb',
  'a soft hyphen': 'a\u00adb',
  'a Hangul filler': 'a\u3164b\uffa0',
  'selectors in a row': '❤\ufe0f\ufe0e\u{e0100}\u{e0101}',
  'a flood of marks': zalgo,
};

async function asset(text: string) {
  const record = { _id: 'a-1', name: text, [text]: [text] };
  const body = JSON.stringify(record);
  const service = await recordService({
    '/assets/a-1': body,
    '/assets/notifications?range=0-9': `[${body}]`,
  });
  return { record, body, ...service };
}

describe('JSON on a terminal', () => {
  it.each(Object.entries(hidden))(
    'shows %s as an escape, and keeps it in a pipe',
    async (...row) => {
      const [name, text] = row;
      const { record, body, env } = await asset(text);
      for (const flag of ['--json', '--jsonl', '--jq=.']) {
        const run = await mar([...get, flag], { env, columns: 80 });
        expect(run.code, run.stderr).toBe(0);
        expect(JSON.parse(run.stdout)).toEqual(record);
        expect(run.stdout).toMatch(/\\u[\da-f]{4}/);
        expect(run.stdout).not.toContain(text);
        expect(run.stdout).not.toMatch(
          /\u034f|[\u00ad\u061c\u200b\u200e\u200f\u2060-\u2069\u3164]/u,
        );
        expect(run.stdout).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
        expect(run.stdout).not.toMatch(/\p{M}{9}/u);
      }
      const failed = await mar(['asset', 'get', `none${text}`, '--json'], { env, columns: 80 });
      expect(failed.code).not.toBe(0);
      expect(failed.stderr).not.toContain(text);
      expect(JSON.parse(failed.stderr).error.kind).toBeTypeOf('string');
      const { stdout } = await mar([...get, '--json'], { env });
      // Marks that turn the direction were always escaped: programs read the same.
      if (name === 'direction marks') expect(JSON.parse(stdout)).toEqual(record);
      else expect(stdout).toBe(`${body}\n`);
    },
  );

  it.each(Object.entries(texts))('leaves %s text readable', async (_name, text) => {
    const { env, record } = await asset(text);
    const { stdout } = await mar([...get, '--json'], { env, columns: 80 });
    expect(JSON.parse(stdout)).toEqual(record);
    // Joiners and flags of tags cannot be seen: JSON has them as escapes, a card as they are.
    if (!/\u200c|\u200d|[\u{e0020}-\u{e007f}]/u.test(text))
      expect(stdout).toContain(`"name": "${text}"`);
    expect((await mar(get, { env, columns: 80 })).stdout).toContain(text);
  });
});

describe('a flood of combining marks', () => {
  it.each([
    ['a card', [...get]],
    ['rows', [...get, '-o', 'tsv']],
    ['CSV', [...get, '-o', 'csv', '--columns', 'name']],
    ['YAML', [...get, '-o', 'yaml']],
    ['a filter', [...get, '--jq', '.name']],
  ])('is cut in %s on a terminal', async (_name, argv) => {
    const { env } = await asset(zalgo);
    const run = await mar(argv, { env, columns: 80 });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).not.toMatch(/\p{M}{9}/u);
    expect(run.stdout).toMatch(/\p{M}{8}(?:…|\\u)/u);
  });

  it('does not pass with joiners between the marks', async () => {
    const { env } = await asset(`Z${'\u0301\u0336\u200d'.repeat(40)}`);
    const run = await mar(get, { env, columns: 80 });
    expect(run.stdout).not.toMatch(/[\p{M}\u200d]{9}/u);
  });

  it('leaves scripts with several marks on a letter as they are', async () => {
    const text = 'שָׁ֔לוֹם नमस्ते བསྒྲུབས กี่ ញ៉ាំ';
    const { env } = await asset(text);
    for (const argv of [get, [...get, '--json'], [...get, '-o', 'tsv']]) {
      const run = await mar(argv, { env, columns: 80 });
      expect(run.stdout).toContain(text);
    }
  });
});
