import { describe, expect, it } from 'vitest';
import { agentAt, withBothClients } from '../../harness/agent.ts';
import type { FakeRequest } from '../../harness/fakeService.ts';
import { mar } from '../../harness/mar.ts';
import { lookupWords } from '../../words/lookup.ts';

withBothClients(() => {
  const canAsk = { elicitation: {} };
  const order = { asset: 'a-1', language: 'fra', use: ['online'], due: '2027-01-10' };

  async function startWriter(flag: string, capabilities: object = {}) {
    const writes: FakeRequest[] = [];
    const respond = (request: FakeRequest) => {
      if (request.method === 'GET') return '{"_id":"a-1","name":"Trailer"}';
      writes.push(request);
      return JSON.stringify({ ...JSON.parse(request.body), _id: `wr-${76 + writes.length}` });
    };
    const { client, env } = await agentAt(respond, [flag], capabilities);
    client.answer = { action: 'accept', content: {} };
    const questions = () =>
      client.lines.flatMap((line) => JSON.parse(line).params?.message ?? []) as string[];
    return { client, writes, questions, env };
  }

  describe('--allow-writes=asked', () => {
    it('writes after a question', async () => {
      const { client, writes } = await startWriter('--allow-writes=asked', canAsk);
      const { isError, report } = await client.write('create_work_request', order);
      expect(isError).toBe(false);
      expect(report.note).toBeUndefined();
      expect(writes).toHaveLength(1);
    });

    it.each([{}, { elicitation: { url: {} } }])(
      'shows and writes nothing where the client cannot ask: %j',
      async (capabilities) => {
        const { client, writes } = await startWriter('--allow-writes=asked', capabilities);
        const { report, content, isError } = await client.call('create_work_request', order);
        expect(isError).toBe(false);
        expect(report.result).toMatchObject({ new: { language: 'fra' } });
        expect(report.token).toBeUndefined();
        expect(content[0]?.text).toContain(lookupWords.cannotAsk);
        expect(writes).toEqual([]);
      },
    );
  });

  it('a write without a question says so, and the log names the agent', async () => {
    const { client, env } = await startWriter('--allow-writes');
    const { report } = await client.write('create_work_request', order);
    expect(report.note).toContain(lookupWords.withoutQuestion);
    const argv = ['--asset', 'a-1', '--language', 'fra', '--use', 'online', '--yes'];
    const again = await mar(['wr', 'create', ...argv], { env });
    expect(again.stderr).toContain('from agent test');
  });

  describe('the question', () => {
    it('starts with counts and names, and shows short fields first', async () => {
      const { client, questions, writes } = await startWriter('--allow-writes', canAsk);
      const instructions = 'x'.repeat(5000);
      await client.write('create_work_request', { ...order, instructions, set: { reason: 'why' } });
      const [question = ''] = questions();
      const [first, ...fields] = question.split('\n');
      expect(first).toMatch(
        /^Create 1 work request: language fra, asset a-1, due 2027-01-1\d, at 127\.0\.0\.1:\d+ as ines@\S+\?$/,
      );
      expect(fields).toContain('reason: "why"');
      const lengths = fields.map(({ length }) => length);
      expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
      expect(fields.at(-1)).toMatch(/^instructions: "xxx.*… \d+ more characters$/);
      expect(writes).toHaveLength(1);
    });

    it('counts rows, languages and assets, and says how much is cut', async () => {
      const { client, questions, writes } = await startWriter('--allow-writes', canAsk);
      const languages = ['fra', 'deu', 'ita', 'spa', 'por'];
      const rows = Array.from({ length: 50 }, (_, at) => ({
        ...{ asset: `a-${1 + Math.floor(at / 5)}`, language: languages[at % 5] },
        ...{ 'uses.items': ['online'], 'due.date': `2027-01-${10 + (at % 5)}` },
      }));
      await client.write('create_work_request', { rows });
      const [question = ''] = questions();
      expect(question).toMatch(
        /^Create 50 work requests: 5 languages \(fra, deu, ita, spa, por\), 10 assets \(a-1, a-2, a-3, a-4, a-5, …\), due 2027-01-10 to 2027-01-1\d, at /,
      );
      expect(question).toMatch(/\n… \d+ more characters$/);
      expect(writes).toHaveLength(50);
    });

    it('shows the values before and after of a change', async () => {
      const { client, questions } = await startWriter('--allow-writes', canAsk);
      await client.write('change_asset', { ids: ['a-1'], set: { name: 'New\u202e' } });
      const [first, line] = questions()[0]?.split('\n') ?? [];
      expect(first).toContain('Change 1 asset (a-1): name, at ');
      expect(line).toBe('name: "Trailer" → "New\\u{202e}"');
    });
  });
});
