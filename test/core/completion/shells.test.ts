import { describe, expect, it } from 'vitest';
import { readBashLine } from '../../../src/completion/shells.ts';
import { ask, usedBefore } from './harness.ts';

const breaks = ' \t\n"\'@><=;|&(:';
const listing = '63';
const menu = '37';

const bash = (line: string, env?: Record<string, string>, type = '9', columns = '80') =>
  ask(['bash', line, breaks, type, columns], env);

describe('a line of bash', () => {
  it.each([
    ['mar asset get a', ['mar', 'asset', 'get', 'a']],
    ['mar asset get ', ['mar', 'asset', 'get', '']],
    ['mar  asset\tget', ['mar', 'asset', 'get']],
    ['mar --output-format=js', ['mar', '--output-format=js']],
    ['mar asset get urn:a', ['mar', 'asset', 'get', 'urn:a']],
    ['mar get "a b" c', ['mar', 'get', 'a b', 'c']],
    ["mar get 'a \"b' c", ['mar', 'get', 'a "b', 'c']],
    ['mar get a\\ b\\', ['mar', 'get', 'a b']],
    ['mar get "a \\"b \\x', ['mar', 'get', 'a "b \\x']],
    ['mar get "" x', ['mar', 'get', '', 'x']],
    ['mar wr get - < ids.txt --j', ['mar', 'wr', 'get', '-', '--j']],
    ['mar wr get - 2>&1 --j', ['mar', 'wr', 'get', '-', '2', '--j']],
    ['', ['']],
  ])('%j is read as bash reads it', (line, words) => {
    expect(readBashLine(line, breaks).words).toEqual(words);
  });

  it('knows the quote that is open', () => {
    expect(readBashLine('mar get "a b', breaks).quote).toBe('"');
    expect(readBashLine("mar get 'a b", breaks).quote).toBe("'");
    expect(readBashLine('mar get "a b"', breaks).quote).toBe('');
  });
});

describe('for bash', () => {
  it('one word comes alone, several come with what they mean', async () => {
    expect((await bash('mar ass')).rows).toEqual(['asset']);
    const meaning = [
      expect.stringMatching(/^list {2}\(.+\)$/),
      expect.stringMatching(/^put {3}\(.+\)$/),
    ];
    expect((await bash('mar user ')).rows).toEqual(meaning);
  });

  it('nothing but words comes where one is taken as it is', async () => {
    expect((await bash('mar user ', {}, menu)).rows).toEqual(['list', 'put']);
  });

  it('a row fits the terminal', async () => {
    const { rows } = await bash('mar wr create --', {}, listing, '40');
    for (const row of rows) expect(row.length).toBeLessThan(40);
    expect(rows.some((row) => row.endsWith('…'))).toBe(true);
  });

  it('what stands before a break is left out, since bash leaves it alone', async () => {
    expect((await bash('mar asset get --output-format=ts')).rows).toEqual(['tsv']);
    expect((await ask(['bash', 'mar asset get --output-format=ts', ' ', '9', '80'])).rows).toEqual([
      '--output-format=tsv',
    ]);
  });

  it('an id is one word, whatever is in it', async () => {
    const env = await usedBefore(['urn:x:1', "it's $5; #1 & [more]", 'a@b']);
    for (const [word, row] of [
      ['urn:x', 'x:1'],
      ['"urn:x', 'urn:x:1'],
      ['a@', 'b'],
      ['it', "it\\'s\\ \\$5\\;\\ #1\\ \\&\\ \\[more\\]"],
      ['"it', "it's \\$5; #1 & [more]"],
      ["'it", "it'\\''s $5; #1 & [more]"],
    ]) {
      expect((await bash(`mar asset get ${word}`, env)).rows).toEqual([row]);
    }
  });

  it('a redirection takes files', async () => {
    expect(await bash('mar wr get - < i')).toMatchObject({ kind: 'file', rows: [] });
    expect(await bash('mar wr get x > ')).toMatchObject({ kind: 'file', rows: [] });
  });

  it('no space follows a word that goes on', async () => {
    expect(await bash('mar api GET /ass')).toMatchObject({ space: 'space' });
    const goesOn = { space: 'nospace', rows: ['/notifications/'] };
    expect(await bash('mar api GET /noti')).toMatchObject(goesOn);
    expect(await bash('mar asset get --columns na')).toMatchObject({ space: 'nospace' });
  });
});

describe('for zsh', () => {
  it('colons and backslashes of a word are kept apart from its meaning', async () => {
    const env = await usedBefore(['urn:x:1', 'back\\slash']);
    const { rows } = await ask(['zsh', 'asset', 'get', ''], env);
    expect(rows).toEqual(['back\\\\slash:Film: part 2', 'urn\\:x\\:1:Film: part 1']);
  });
});

describe('for PowerShell', () => {
  const powershell = (words: readonly string[], env?: Record<string, string>) =>
    ask(['powershell'], { ...env, MAR_COMPLETE_WORDS: words.join('\n') });

  it('each word comes as it is to be written, as it is to be shown, and with its meaning', async () => {
    const env = await usedBefore(["it's $5", 'plain-1']);
    expect((await powershell(['asset', 'get', ''], env)).rows).toEqual([
      'plain-1\tplain-1\tFilm: part 2',
      "'it''s $5'\tit's $5\tFilm: part 1",
    ]);
  });

  it('only what fits is offered, since it shows all it gets', async () => {
    expect((await powershell(['ass'])).rows).toEqual([expect.stringMatching(/^asset\tasset\t\S/)]);
    expect((await powershell(['asset', 'get', '--output-format=ts'])).rows).toEqual([
      '--output-format=tsv\t--output-format=tsv\t--output-format=tsv',
    ]);
  });

  it('files are left to it', async () => {
    const file = { kind: 'file', before: '--file=' };
    expect(await powershell(['wr', 'create', '--file=x'])).toMatchObject(file);
  });
});
