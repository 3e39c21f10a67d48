import { describe, expect, it } from 'vitest';
import { agentAt, withBothClients } from '../../harness/agent.ts';
import type { FakeRequest } from '../../harness/fakeService.ts';
import { mar } from '../../harness/mar.ts';
import { lookupWords } from '../../words/lookup.ts';

withBothClients(() => {
  const canAsk = { elicitation: {} };
  const longSlug = `${'x'.repeat(500)}old${'y'.repeat(500)}`;
  const asset = { _id: 'a-1', name: 'Trailer', slug: longSlug };
  const order = { asset: 'a-1', language: 'fra', use: ['online'], due: '2027-01-10' };

  async function startWriter(flag: string, capabilities: object = {}) {
    const writes: FakeRequest[] = [];
    const respond = (request: FakeRequest) => {
      if (request.method === 'GET') return JSON.stringify(asset);
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
    it('starts with counts and names, and has every field and every warning', async () => {
      const { client, questions, writes } = await startWriter('--allow-writes', canAsk);
      const instructions = 'x'.repeat(5000);
      const tz = 'Europe/Paris';
      const fields = { ...order, instructions, tz, due: '2027-01-10T18:00', territory: 'ROW' };
      await client.write('create_work_request', { ...fields, set: { reason: 'why' } });
      const [question = ''] = questions();
      const [first, ...lines] = question.split('\n');
      expect(first).toMatch(
        /^Create 1 work request: language fra, asset a-1 "Trailer", due 2027-01-10 18:00 Europe\/Paris, at 127\.0\.0\.1:\d+ as ines@\S+\?$/,
      );
      expect(lines).toContain('reason: "why"');
      expect(lines).toContain('asset: a-1 "Trailer"');
      expect(lines).toContain('due: 2027-01-10 18:00 Europe/Paris');
      expect(lines[0]).toMatch(/^Warning: .*ROW/);
      expect(lines.at(-1)).toBe(`instructions: "${instructions}"`);
      expect(writes).toHaveLength(1);
    });

    it('names similar orders', async () => {
      const { client, questions } = await startWriter('--allow-writes', canAsk);
      await client.write('create_work_request', order);
      await client.write('create_work_request', { ...order, use: ['broadcast'] });
      expect(questions()[1]).toMatch(/\nWarning: .*wr-77/);
    });

    it('is for no more than it can show', async () => {
      const { client, questions, writes } = await startWriter('--allow-writes', canAsk);
      const long = { ...order, instructions: 'x'.repeat(40_000) };
      const { isError, report } = await client.call('create_work_request', long);
      expect(isError).toBe(true);
      expect(report.token).toBeUndefined();
      expect(report.error).toMatchObject({ kind: 'usage', outcome: 'not-sent' });
      expect(questions()).toEqual([]);
      expect(writes).toEqual([]);
    });

    it('counts rows, languages and assets, and has each row', async () => {
      const { client, questions, writes } = await startWriter('--allow-writes', canAsk);
      const languages = ['fra', 'deu', 'ita', 'spa', 'por'];
      const rows = Array.from({ length: 50 }, (_, at) => ({
        ...{ asset: `a-${1 + Math.floor(at / 5)}`, language: languages[at % 5] },
        ...{ 'uses.items': ['online'], 'due.date': `2027-01-${10 + (at % 5)}` },
      }));
      await client.write('create_work_request', { rows });
      const [question = ''] = questions();
      expect(question).toMatch(
        /^Create 50 work requests: 5 languages \(fra, deu, ita, spa, por\), 10 assets \(a-1 "Trailer", a-2 "Trailer", .*, …\), due 2027-01-10 \d\d:59 UTC to 2027-01-14 \d\d:59 UTC, at /,
      );
      expect(question).toContain('\nIn each: uses: {"items":["online"]}\n');
      expect(question).toMatch(/\n50\. .*asset: a-10 "Trailer"/);
      expect(writes).toHaveLength(50);
    });

    it('shows the values before and after of a change', async () => {
      const { client, questions } = await startWriter('--allow-writes', canAsk);
      await client.write('change_asset', { ids: ['a-1'], set: { name: 'New\u202e' } });
      const [first, line] = questions()[0]?.split('\n') ?? [];
      expect(first).toContain('Change 1 asset (a-1 "Trailer"): name, at ');
      expect(line).toBe('name: "Trailer" → "New\\u{202e}"');
    });

    it('shows what differs in long values, and cuts what they have in common', async () => {
      const { client, questions } = await startWriter('--allow-writes', canAsk);
      const slug = longSlug.replace('old', 'new');
      await client.write('change_asset', { ids: ['a-1'], set: { slug } });
      const line = questions()[0]?.split('\n')[1];
      expect(line).toMatch(/^slug: …x+oldy+… → …x+newy+…$/);
      expect(line?.length).toBeLessThan(200);
      await client.write('change_asset', { ids: ['a-1'], set: { name: longSlug } });
      expect(questions()[1]).toContain(`"${longSlug}"`);
    });
  });
});
