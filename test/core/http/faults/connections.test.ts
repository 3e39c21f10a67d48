import { describe, expect, it } from 'vitest';
import {
  type Fault,
  faultyServer,
  fullResponse,
  hangUp,
  reset,
  respond,
  responseHead,
  send,
  sendAndClose,
} from '../../../harness/faultyServer.ts';
import { mar } from '../../../harness/mar.ts';
import { body, expectNoHarm, faultsTogether, usable, watchProcess } from './rows.ts';

const page = (id: string) => `[{"_id":"${id}"}]`;
const list = ['file', 'list', '--all', '--columns', '_id'];
const closing = (body: string) =>
  sendAndClose(fullResponse(body, { headers: ['Connection: close'] }));

/** Asks for a little patience, and spoils the kept connection meanwhile. */
const spoil =
  (how: Fault): Fault =>
  (socket) => {
    respond('', { status: '503 Busy', headers: ['Retry-After: 1'] })(socket);
    setTimeout(() => how(socket), 100);
  };

describe('a list goes on', () => {
  watchProcess();

  const [own, forged] = [fullResponse(page('f-1')), fullResponse(page('forged'))];
  const behindOwn = (bytes: Buffer) => send(Buffer.concat([own, bytes]));
  const [first, second, last] = [send(own), respond(page('f-2')), respond('[]')];
  it.each<[name: string, faults: Fault[]]>([
    ['when each answer closes its connection', ['f-1', 'f-2'].map(page).concat('[]').map(closing)],
    ['when the kept connection is hung up at the next request', [first, hangUp, second, last]],
    ['when the kept connection is reset at the next request', [first, reset, second, last]],
    ['when the kept connection is reset twice', [first, reset, second, reset, reset, last]],
    ['when an answer comes twice', [send(own, forged), second, last]],
    ['when an answer comes twice in one piece', [behindOwn(forged), second, last]],
    ['when half an answer is behind one', [behindOwn(forged.subarray(0, -5)), second, last]],
  ])('%s', async (_name, faults) => {
    const server = await faultyServer(faults);
    const run = await mar(list, server);
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: 'f-1\nf-2\n' });
    expect(server.requests).toHaveLength(faults.length);
    expectNoHarm(run);
    await server.released();
  });

  it.each<[name: string, answerWith: (body: string) => Fault]>([
    ['closes its connection without a word', (body) => sendAndClose(fullResponse(body))],
    ['is ended by its connection', (body) => sendAndClose(responseHead(), body)],
  ])('when each response %s', async (_name, answerWith) => {
    // By range: the next request may still be put on the old connection, and come again.
    const pages: Record<string, string> = { '0-99': page('f-1'), '1-100': page('f-2') };
    const server = await faultyServer((socket) => {
      const [, range = ''] = /resources=(\S+)/.exec(server.requests.at(-1) ?? '') ?? [];
      answerWith(pages[range] ?? '[]')(socket);
    });
    const run = await mar(list, server);
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: 'f-1\nf-2\n' });
    expectNoHarm(run);
    await server.released();
  });
});

describe('a kept connection', () => {
  const spoils: [name: string, how: Fault][] = [
    ['an answer to nothing', respond('{"_id":"forged"}')],
    ['noise', send('\x00\xff nonsense\r\n\r\n')],
    ['half an answer', send('HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{"_id":')],
    ['an end', hangUp],
    ['a reset', reset],
  ];
  faultsTogether(
    'does not spoil the next answer, whatever is on it by then',
    spoils.map(([name, how]) => usable(name, [spoil(how), respond(body)], { requests: 2 })),
  );
});
