import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { Redactor } from '../../src/http/redact.ts';
import { createTransport } from '../../src/http/transport.ts';
import { recordingServer } from '../harness/recordingServer.ts';

it('a token is sent only to the origin that issued it, whatever the request says', async () => {
  const own = await recordingServer('{}');
  const other = await recordingServer('{}');
  const transport = createTransport({
    env: {},
    timeoutMs: 10_000,
    maxBodyBytes: 1000,
    retries: 0,
    redactor: new Redactor(),
    baseUrlName: 'the base URL',
  });
  onTestFinished(() => transport.close());
  const baseUrl = new URL(own.baseUrl);
  const client = createClient({
    baseUrl,
    transport,
    credentials: { email: 'ines@northlight.example', secret: 'x', origin: baseUrl.origin },
    userAgent: 'mar',
  });
  const request = (url: string) => ({ method: 'GET', url: new URL(url), headers: {} });
  await client.send(request(`${own.baseUrl}/files`));
  await expect(client.send(request(`${other.baseUrl}/files`))).rejects.toMatchObject({
    kind: 'auth',
    details: { outcome: 'not-sent' },
  });
  expect(own.requests).toHaveLength(1);
  expect(other.requests).toHaveLength(0);
});
