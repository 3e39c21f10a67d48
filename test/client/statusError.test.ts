import { describe, expect, it } from 'vitest';
import { mar } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';

/** The message for a response with this body. */
async function said(body: string, status = 422): Promise<string> {
  const { env } = await recordingServer({ status, body });
  const { stderr } = await mar(['asset', 'get', 'a-1', '--retries', '0'], { env });
  const [line = ''] = stderr.split('\n');
  return line.replace(/^.*?\(\d+\)(?:: )?/, '');
}

describe('what the service says about a failure', () => {
  it.each([
    ['{"message":"no name"}', 'no name'],
    ['{"error":"no name"}', 'no name'],
    ['{"message":"","error":"no name"}', 'no name'],
    ['{"error":{"code":7,"message":"no name"}}', 'no name'],
    ['{"errors":[{"message":"no name"},{"message":"no date"}]}', 'no name; no date'],
    ['"no name"', 'no name'],
    ['no name\n', 'no name'],
    ['{"detail":"no name"}', '{"detail":"no name"}'],
    ['{\n  "detail": "no name"\n}\n', '{ "detail": "no name" }'],
    ['first\nsecond\n\nthird', 'first second third'],
    ['', ''],
  ])('is found in %j', async (body, expected) => {
    expect(await said(body)).toBe(expected);
  });

  it.each([
    [
      '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
      '502 Bad Gateway nginx',
    ],
    [
      '<!DOCTYPE html><html><head><style>p{color:red}</style></head><body><script>track("x")</script><p>Back at\n noon</p></body></html>',
      'Back at noon',
    ],
    ['<html><head><title>Down for repair</title></head><body></body></html>', 'Down for repair'],
  ])('is read off a web page: %j', async (body, expected) => {
    expect(await said(body, 502)).toBe(expected);
  });

  it('is not without end', async () => {
    expect(await said(JSON.stringify({ message: 'x'.repeat(5000) }))).toHaveLength(2001);
    expect(await said('x'.repeat(5000))).toHaveLength(500);
  });

  it('is read quickly off a page that is made to be slow', async () => {
    for (const piece of ['<', '<head', '<!--']) {
      expect(await said(`<html>${piece.repeat(1_000_000)}`)).toBeTypeOf('string');
    }
  });

  it('has no signed query in it', async () => {
    const message = 'no such file: https://cdn.example/a.mp4?Signature=sig123';
    expect(await said(JSON.stringify({ message }))).toBe(
      'no such file: https://cdn.example/a.mp4?…',
    );
  });
});

describe('an answer of no use', () => {
  it('is shown to a program without the passwords in it', async () => {
    const { env } = await recordingServer('{"_id":"u-1","password":"hunter22"}');
    const run = await mar(['user', 'list', '--json'], { env });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(run.stderr).error.body).toBe('{"_id":"u-1","password":"[redacted]"}');
  });

  it('is told from one that is empty', async () => {
    const { env } = await recordingServer('');
    const { code, stderr } = await mar(['asset', 'get', 'a-1'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be used: it is empty');
  });
});
