import { expect, it } from 'vitest';
import { createClient } from '../../../src/core/client/client.ts';
import { recordingServer } from '../../harness/recordingServer.ts';
import { testTransport } from '../../harness/transport.ts';

it('a token is sent only to the origin that issued it, whatever the request says', async () => {
  const own = await recordingServer('{}');
  const other = await recordingServer('{}');
  const baseUrl = new URL(own.baseUrl);
  const client = createClient({
    baseUrl,
    transport: testTransport(),
    credentials: { email: 'ines@northlight.example', secret: 'x', origin: baseUrl.origin },
    onMismatch: () => {},
  });
  const request = (url: string) => ({
    method: 'GET',
    isRead: true,
    url: new URL(url),
    headers: {},
  });
  await client.send(request(`${own.baseUrl}/files`));
  await expect(client.send(request(`${other.baseUrl}/files`))).rejects.toMatchObject({
    kind: 'auth',
    details: { outcome: 'not-sent' },
  });
  expect(own.requests).toHaveLength(1);
  expect(other.requests).toHaveLength(0);
});
