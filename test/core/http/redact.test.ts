import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../src/core/http/redact.ts';
import { withoutCredentials } from '../../../src/core/json/hideFields.ts';

const user = 'ines@northlight.example';

function redactorOf(secret: string): Redactor {
  const redactor = new Redactor();
  redactor.learn(user, secret);
  return redactor;
}

describe('a redactor', () => {
  const token = 'token-canary-token-51d2e8';
  it.each([token, 'token-canary', 'cänary"pa/ss\\word\t&7 😀', 'x'.repeat(40_000)])(
    'finds a secret plain, percent-encoded, JSON-escaped and in Base64: %.30s',
    (secret) => {
      const redactor = redactorOf(secret);
      const base64 = (text: string) => Buffer.from(text).toString('base64');
      const forms = [
        secret,
        encodeURIComponent(secret),
        encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
        JSON.stringify(secret).slice(1, -1),
        base64(secret),
        base64(secret).replace(/=+$/, ''),
        base64(`${user}:${secret}`),
      ];
      for (const form of forms) {
        expect(redactor.clean(`before <${form}> after ü`)).toBe('before <[redacted]> after ü');
        const twice = `${form} ${form}`;
        expect(redactor.clean(twice)).toBe('[redacted] [redacted]');
      }
    },
  );

  it('finds a token without the prefix that makes it a password', () => {
    expect(redactorOf(token).clean('not canary-token-51d2e8.')).toBe('not [redacted].');
  });

  it.each([
    ['text without it', 'the token is not valid: 100% \\ &amp; ä \u{1f600} \ud800'],
    ['a part of it', 'canary-tok'],
  ])('leaves %s alone', (_name, text) => {
    expect(redactorOf(token).clean(text)).toBe(text);
  });

  it('takes out each of several, also if one contains another', () => {
    const redactor = redactorOf(token);
    redactor.learnSecret('another/secret');
    redactor.learnSecret('another/secret/and-more');
    expect(redactor.clean('another/secret/and-more, another/secret, canary-token-51d2e8')).toBe(
      '[redacted], [redacted], [redacted]',
    );
  });

  it('takes no secret of a few letters out of other words', () => {
    const redactor = new Redactor();
    redactor.learnSecret('asset');
    expect(redactor.clean('the assets')).toBe('the assets');
  });

  it('cuts a text only when it is clean, however long it is', () => {
    const secret = 'canary-token-51d2e8';
    const redactor = redactorOf(`token-${secret}`);
    for (const length of [100, 400_000]) {
      for (const before of [1, 8, secret.length - 1]) {
        const text = 'x'.repeat(length - before) + secret.repeat(3);
        expect(redactor.excerpt(text, length)).not.toContain('xcan');
      }
    }
    expect(redactor.excerpt(`${secret} `.repeat(20_000), 90_000)).not.toContain('canary');
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
