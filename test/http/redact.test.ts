import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../src/http/redact.ts';
import { withoutCredentials } from '../../src/json/secrets.ts';

const seed = 20_261_115;

function redactorOf(secret: string): Redactor {
  const redactor = new Redactor();
  redactor.learn('ines@northlight.example', secret);
  return redactor;
}

const hex = (code: number, width: number) => code.toString(16).padStart(width, '0');
const bytes = (text: string, before: string) =>
  [...Buffer.from(text)].map((byte) => before + hex(byte, 2)).join('');

/** The ways to write one character. */
const ways: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => bytes(character, '%'),
  (character) => bytes(character, '%25').toUpperCase(),
  (character) => bytes(character, '\\x'),
  (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`,
    ).join(''),
  (character) => `\\u{${hex(character.codePointAt(0) ?? 0, 1)}}`,
  (character) => JSON.stringify(JSON.stringify(character)).slice(3, -3),
];

describe('a redactor', () => {
  it('finds a secret in any mixture of spellings, and leaves what is around it', () => {
    const character = fc.oneof(
      fc.constantFrom(...'abcXYZ0189"\'\\/&%;#+=<> äöß€😀'),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
    );
    const spelt = fc.array(fc.tuple(character, fc.nat(ways.length - 1)), {
      minLength: 12,
      maxLength: 40,
    });
    fc.assert(
      fc.property(spelt, (parts) => {
        // A backslash at its end could escape what follows, so it ends with a letter.
        const secret = `sEcReT${parts.map(([one]) => one).join('')}Z`;
        const quoted = parts.map(([one, way]) => ways[way]?.(one)).join('');
        const cleaned = redactorOf(secret).clean(`before <sEcR\\u0065T${quoted}Z> after ü`);
        expect(cleaned).toBe('before <[redacted]> after ü');
      }),
      { seed, numRuns: 500 },
    );
  });

  it.each([
    'a&lt;b&gt;c&amp;&quot;d&#39;',
    'a&lt;b&gt;c&amp;&#34;d&#39;',
    'a&lt;b&gt;c&amp;&quot;d&#x27;',
    'a&lt;b&gt;c&amp;&quot;d&#039;',
    'a&lt;b&gt;c&amp;&quot;d&apos;',
  ])('finds a secret that a web framework escaped: %s', (quoted) => {
    expect(redactorOf(`a<b>c&"d'`).clean(`not valid: ${quoted}!`)).toBe('not valid: [redacted]!');
  });

  it.each([
    ['text without it', 'the token is not valid: 100% \\ &amp; ä \u{1f600} \ud800'],
    ['a part of it', 'canary-tok'],
  ])('leaves %s alone', (_name, text) => {
    expect(redactorOf('token-canary-token-51d2e8').clean(text)).toBe(text);
  });

  it('takes out each of several', () => {
    const redactor = redactorOf('token-canary-token-51d2e8');
    redactor.learnSecret('another/secret');
    expect(
      redactor.clean(
        'canary-token-51d2e8, %63anary-token-51d2e8 another\\/secret, token-c\\u0061nary-token-51d2e8.',
      ),
    ).toBe('[redacted], [redacted] [redacted], [redacted].');
  });

  it.each([
    ['', ''],
    ['', '\n'],
    ['x', ''],
    ['é', '!'],
    ['me:', '>>'],
  ])('leaves no letter of Base64 that has bits of the secret, between %j and %j', (...around) => {
    const [before, after] = around;
    const redactor = new Redactor();
    const secrets = ['canary-token-1', 'canary-token-12', 'canary-token-123'];
    for (const secret of secrets) redactor.learnSecret(secret);
    for (const secret of secrets) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const text = Buffer.from(before + secret + after).toString(encoding);
        const other = Buffer.from(before + secret.replace(/./g, '\0') + after).toString(encoding);
        // The letters that do not depend on the secret are those around it.
        const [start = '', end = ''] = redactor.clean(text).split('[redacted]');
        expect(other.startsWith(start)).toBe(true);
        expect(other.endsWith(end)).toBe(true);
        const escaped = `<${text.replaceAll('=', '%3D')}>`;
        const [, tail] = redactor.clean(escaped).split('[redacted]');
        expect(tail).toBe(`${end.replaceAll('=', '%3D')}>`);
      }
    }
  });

  it.each(['\\', '%25', '&amp;', '\\u0063', 'c\\\\\\\\', '%'])(
    'is not slowed down by a text of %s',
    (piece) => {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      const redactor = redactorOf('canary"pa/ss\\\\\\word&7f3a9c');
      const startedAt = performance.now();
      expect(redactor.clean(text)).toBe(text);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    },
  );

  it('cuts a text only when it is clean, however long it is', () => {
    const secret = 'canary-token-51d2e8';
    const redactor = redactorOf(`token-${secret}`);
    for (const length of [100, 131_072, 400_000]) {
      for (const before of [1, 8, secret.length - 1]) {
        const text = 'x'.repeat(length - before) + secret.repeat(3);
        expect(redactor.excerpt(text, length)).not.toContain('xcan');
        expect(redactor.excerpt(`${secret} `.repeat(20_000), 90_000)).not.toContain('canary');
      }
    }
  });
});

describe('an address without credentials', () => {
  it.each([
    ['https://desk.example/x', 'https://desk.example/x'],
    ['https://u:p@desk.example/x', 'https://[redacted]@desk.example/x'],
    ['https://u:p/@q@desk.example', 'https://[redacted]@desk.example'],
    ['u@h', '[redacted]@h'],
    ['ftp:/u:p%40h', 'ftp://[redacted]@h'],
    ['@h', '[redacted]@h'],
  ])('of %s is %s', (address, shown) => {
    expect(withoutCredentials(address)).toBe(shown);
  });
});
