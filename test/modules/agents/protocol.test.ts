import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import { clientOf, withReport } from '../../harness/agent.ts';
import { program, startProgram } from '../../harness/program.ts';
import { isolated } from '../../harness/service.ts';
import { demoSandbox, tokenOf } from '../sandbox/harness.ts';

/* These start the built program. */

/** The environment of a program that is logged in to a sandbox in this process. */
async function sandboxEnvironment() {
  const sandbox = await demoSandbox();
  const account = { MAR_EMAIL: sandbox.email, MAR_TOKEN: await tokenOf(sandbox) };
  return isolated({ ...account, MAR_BASE_URL: sandbox.baseUrl });
}

const textOf = (result: unknown) => JSON.stringify(result);

type Called = Awaited<ReturnType<Client['callTool']>>;

/** The JSON of a result. */
const reportOf = (result: Called) =>
  withReport(result as Parameters<typeof withReport>[0]).report as Record<string, unknown>;

it.each(['legacy', { pin: '2026-07-28' }] as const)(
  'the official client works with the protocol in mode %j',
  async (mode) => {
    const env = await sandboxEnvironment();
    const [command, ...before] = program;
    const args = [...before, 'mcp', '--allow-writes=asked'];
    const transport = new StdioClientTransport({ command, args, env, stderr: 'pipe' });
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
    );
    onTestFinished(() => client.close());
    const questions: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return { action: 'accept', content: {} };
    });
    await client.connect(transport);
    expect(client.getInstructions()).toContain('token');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('create_work_request');

    const found = await client.callTool({ name: 'find', arguments: { words: ['harbor'] } });
    expect(textOf(reportOf(found))).toContain('The Harbor Light – Trailer B');
    expect(found).not.toHaveProperty('structuredContent');
    const missing = { kind: 'wr', ids: ['wr-9999'] };
    const { isError } = await client.callTool({ name: 'get', arguments: missing });
    expect(isError).toBe(true);

    const write = async (name: string, fields: Record<string, unknown>) => {
      const { token } = reportOf(await client.callTool({ name, arguments: fields }));
      const written = await client.callTool({ name, arguments: { ...fields, token } });
      expect(written.isError, textOf(written)).toBe(false);
      return reportOf(written).result;
    };
    const order = { like: 'wr-2001', language: 'deu', territory: 'DEU', due: '+5d' };
    await write('create_work_request', order);
    const question = /^Create 1 work request: language deu, asset /;
    expect(questions).toEqual([expect.stringMatching(question)]);
    const rows = ['a-1001', 'a-1002', 'a-1003'].map((_id) => ({ _id, name: `New ${_id}` }));
    const changed = await write('change_asset', { rows });
    expect(changed).toMatchObject({ rows: 3, done: 3, ids: { 1: 'a-1001', 3: 'a-1003' } });
    const { journal } = changed as { journal: string };
    const undone = await write('batch', { kind: 'undo', file: journal });
    expect(undone).toMatchObject({ done: 3 });
    expect(questions[2]).toMatch(/^Change 3 assets \(a-1001 .*, a-1002 .*, a-1003 .*\): name, at /);

    const source = { source: 'wr-2009' };
    const fixed = await client.callTool({ name: 'fix_subtitles', arguments: source });
    expect(reportOf(fixed).result).toContain(' --> ');
    const wait = { ids: ['wr-2004'], status: ['complete'], timeout: '2s' };
    const waited = await client.callTool({ name: 'wait', arguments: wait });
    expect(waited.isError, textOf(waited)).toBe(false);
    expect(reportOf(waited).note).toMatch(/\bwait\b/);

    const stop = new AbortController();
    const waiting = client.callTool(
      { name: 'wait', arguments: { ids: ['wr-2001'], status: ['complete'], timeout: '50s' } },
      { signal: stop.signal },
    );
    stop.abort();
    await expect(waiting).rejects.toThrow();
    await client.close();
  },
);

it('a client written from the specification works, whatever else it sends', async () => {
  const env = await sandboxEnvironment();
  const child = startProgram(['mcp'], env);
  if (!child.stdin || !child.stdout) throw new Error('no streams');
  const client = clientOf({ stdin: child.stdin, stdout: child.stdout });
  const { result } = await client.initialise();
  expect(result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'mar' } });
  for (const line of ['', 'not JSON', '[]', '{"jsonrpc":"1.0"}']) client.sendLine(line);
  client.send({ method: 'notifications/cancelled', params: { requestId: 999 } });
  const { error } = await client.request('no/such/method');
  expect(error?.code).toBe(-32601);
  const unknownTool = await client.request('tools/call', { name: 'undo', arguments: {} });
  expect(unknownTool.error?.code).toBe(-32602);

  const wait = { ids: ['wr-2001'], status: ['complete'], timeout: '50s' };
  const waiting = client.request('tools/call', { name: 'wait', arguments: wait });
  client.send({ method: 'notifications/cancelled', params: { requestId: waiting.requestId } });
  const { report } = await client.call('get', { kind: 'wr', ids: ['wr-2004'] });
  expect(report.result).toMatchObject({ _id: 'wr-2004' });

  // The client goes away in the middle of a call.
  void client.request('tools/call', { name: 'wait', arguments: wait });
  child.stdin.end();
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  for (const line of client.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  const responses = client.lines.filter((line) => JSON.parse(line).id === waiting.requestId);
  expect(responses).toEqual([]);
});
