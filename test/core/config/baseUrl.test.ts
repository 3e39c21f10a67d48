import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../../src/core/config/baseUrl.ts';
import { MarError } from '../../../src/core/errors.ts';
import { mar } from '../../harness/mar.ts';

const href = (text: string) => parseBaseUrl(text).href;

describe('a base URL', () => {
  it.each([
    ['https://media.example', 'https://media.example/api'],
    ['https://media.example/', 'https://media.example/api'],
    ['https://media.example/api///', 'https://media.example/api'],
    ['media.example/api', 'https://media.example/api'],
    ['media.example:8443', 'https://media.example:8443/api'],
    ['  https://media.example/api\n', 'https://media.example/api'],
    ['HTTPS://MEDIA.Example/api', 'https://media.example/api'],
    ['https://media.example:443/api', 'https://media.example/api'],
    ['https://media.example/v2/api', 'https://media.example/v2/api'],
    ['https://media.example/a/../api', 'https://media.example/api'],
    ['https://médias.example', 'https://xn--mdias-bsa.example/api'],
    ['http://localhost:3000', 'http://localhost:3000/api'],
    ['http://127.0.0.1:80', 'http://127.0.0.1/api'],
    ['http://127.1.2.3', 'http://127.1.2.3/api'],
    ['http://[::1]:3000/api', 'http://[::1]:3000/api'],
    ['http://2130706433/api', 'http://127.0.0.1/api'],
  ])('%j is used as %s', (text, used) => {
    expect(href(text)).toBe(used);
    expect(href(used)).toBe(used);
  });

  it.each([
    ['', 'is empty'],
    ['https://', 'invalid base URL'],
    ['https://media example', 'invalid base URL'],
    ['https://media.example:99999', 'invalid base URL'],
    ['ftp://media.example/api', 'must start with https://'],
    ['file:///api', 'must start with https://'],
    ['https://media.example/myapi', 'does not end with /api'],
    ['https://media.example/api/v2', 'does not end with /api'],
    ['https://media.example/API', 'does not end with /api'],
    ['https://media.example/api?x=1', 'contains "?" or "#"'],
    ['https://media.example/api#x', 'contains "?" or "#"'],
  ])('%j is refused: it %s', (text, reason) => {
    expect(() => parseBaseUrl(text)).toThrow(reason);
  });

  it('with a password in it is refused without repeating it', () => {
    const scheme = ['htp://me:hunter2@media.example/api', 'htp://media.example/api?token=hunter2'];
    const slash = 'https://me:hunter2/2@media.example/api';
    const usual = ['https://me:hunter2@media.example/api', 'me:hunter2@media.example'];
    for (const text of [...usual, ...scheme, slash]) {
      expect(() => parseBaseUrl(text)).toThrow(/^(?!.*hunter2).*$/s);
      expect(() => parseBaseUrl(text)).toThrow(MarError);
    }
  });

  it.each([
    ...['media.example', '10.0.0.1', '128.0.0.1', 'localhost.example', 'notlocalhost'],
    ...['127.0.0.1.example', 'x.localhost', '[::2]', '0.0.0.0'],
  ])('at %s is refused, since it is plain http to another machine', (host) => {
    const text = `http://${host}/api`;
    expect(() => parseBaseUrl(text)).toThrow('plain http');
    expect(parseBaseUrl(text, { allowHttp: true }).href).toBe(text);
  });

  it('in plain http is exit 2 with nothing sent, unless --allow-http allows it', async () => {
    const env = { MAR_TOKEN: 't', MAR_EMAIL: 'a@b', MAR_BASE_URL: 'http://service.invalid/api' };
    const refused = await mar(['asset', 'get', 'a-1'], { env });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--allow-http');
    const allowed = await mar(['whoami', '--allow-http', '--json'], { env });
    expect(allowed.code, allowed.stderr).toBe(0);
    expect(JSON.parse(allowed.stdout)).toMatchObject({ baseUrl: 'http://service.invalid/api' });
  });
});
