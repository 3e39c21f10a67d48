import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Sentence = string | ((...parts: string[]) => string);

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(`test/${file}`, 'utf8') }));

const pages = tests.filter(({ file }) => /^words.(?!words\.test)/.test(file));

/** The first four words in a row, which only a quotation repeats. */
const quotation = (text: string) => text.match(/[a-z][a-z'-]*(?: [a-z'-]+){3}/i)?.[0];

it.each(pages)('a sentence of $file stands only there, and is used', async (page) => {
  const others = tests.filter((test) => test !== page);
  const [words = '', sentences = {}] =
    Object.entries<Record<string, Sentence>>(
      await import(/* @vite-ignore */ `../${page.file}`),
    )[0] ?? [];
  const names = Object.keys(sentences).map((key) => `${words}.${key}`);
  const unused = names.filter((name) => !others.some(({ text }) => text.includes(name)));
  const copies = Object.values(sentences).flatMap((say) => {
    const text = typeof say === 'string' ? say : say(...Array(say.length).fill('…'));
    const quoted = quotation(text);
    return others
      .filter((test) => quoted && test.text.includes(quoted))
      .map(({ file }) => [file, quoted]);
  });
  expect(names).not.toEqual([]);
  expect({ unused, copies }).toEqual({ unused: [], copies: [] });
});
