import { describe, expect, it } from 'vitest';
import { mar } from '../harness/mar.ts';
import { recordingServer } from '../harness/recordingServer.ts';
import { entry, workRequest } from '../subtitles/request.ts';

async function submitted(answers: readonly string[], argv: readonly string[], stdin?: string) {
  const { env, requests } = await recordingServer(...answers);
  const outcome = await mar(['translation', 'submit', ...argv], { env, stdin });
  const sent = requests.filter((request) => request.startsWith('POST'));
  return { ...outcome, requests, bodies: sent.map((request) => request.split('\r\n\r\n')[1]) };
}

const flags = ['--work-request', 'wr-1', '--asset', 'a-1', '--language', 'fra'];

describe('a translation', () => {
  it('made of flags is submitted', async () => {
    const { code, bodies } = await submitted(['{"_id":"t-1"}'], flags);
    expect(code).toBe(0);
    expect(bodies).toEqual([
      '{"workRequest":"wr-1","asset":"a-1","language":"fra","status":"submitted"}',
    ]);
  });

  it('has the status that it is given', async () => {
    const { bodies } = await submitted(
      ['{}'],
      [...flags, '--status', 'incomplete', '--set', 'x=1'],
    );
    expect(bodies).toEqual([
      '{"workRequest":"wr-1","asset":"a-1","language":"fra","status":"incomplete","x":1}',
    ]);
  });

  it('keeps texts as they are: an id of digits is no number', async () => {
    const { bodies } = await submitted(['{}'], ['--work-request', '42', '--asset', 'null']);
    expect(bodies).toEqual(['{"workRequest":"42","asset":"null","status":"submitted"}']);
  });

  it('from a file has the status that stands there; flags go before it', async () => {
    const file = '{"workRequest":"wr-1","status":"incomplete","language":"deu"}';
    const { bodies } = await submitted(['{}'], ['-f', '-', '--language', 'fra'], file);
    expect(bodies).toEqual(['{"workRequest":"wr-1","status":"incomplete","language":"fra"}']);
  });
});

describe('a language', () => {
  it('that is no three-letter code is refused, with the one that was meant', async () => {
    const argv = ['--work-request', 'wr-1', '--language', 'fr'];
    const { code, stderr, requests } = await submitted(['{}'], argv);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain('fra');
    const { bodies } = await submitted(['{}'], [...argv, '--force']);
    expect(bodies).toEqual(['{"workRequest":"wr-1","language":"fr","status":"submitted"}']);
  });
});

it.each(['--work-request', '--asset', '--language', '--status'])(
  'an empty %s is refused: nothing is sent',
  async (flag) => {
    const { code, stderr, requests } = await submitted(['{}'], [...flags, flag, '']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(`${flag} is empty`);
  },
);

describe('--check', () => {
  const bad = workRequest([entry(1, ''), entry(2, 'b')]);
  const good = workRequest([entry(1, 'a'), entry(2, 'b')]);
  const hasty = workRequest([entry(1, 'a'), entry(3, 'b')]);

  it('sends nothing when the lines have errors', async () => {
    const { code, stdout, stderr, bodies } = await submitted([bad], [...flags, '--check']);
    expect({ code, stdout, bodies }).toEqual({ code: 3, stdout: '', bodies: [] });
    expect(stderr).toContain('nothing was sent: wr-1: 1 error in 2 lines');
    expect(stderr).toContain('line 1 has no text');
  });

  it('sends what is without errors', async () => {
    const { code, requests, bodies } = await submitted(
      [good, '{"_id":"t-1"}'],
      [...flags, '--check'],
    );
    expect(code).toBe(0);
    expect(requests[0]).toMatch(/^GET \/api\/workrequests\/wr-1 /);
    expect(bodies).toHaveLength(1);
  });

  it('tells of warnings, and sends', async () => {
    const { code, stderr, bodies } = await submitted([hasty, '{}'], [...flags, '--check']);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: wr-1: 1 warning in 2 lines');
    expect(bodies).toHaveLength(1);
  });

  it('tells that there was nothing to check', async () => {
    const { code, stderr } = await submitted([workRequest([]), '{}'], [...flags, '--check']);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: wr-1 has no lines to check\n');
  });

  it('takes the limits that it is given', async () => {
    const strict = [...flags, '--check', '--preset', 'none', '--max-lines', '1'];
    const two = workRequest([entry(1, 'a<br>b')]);
    expect((await submitted([two], strict)).code).toBe(3);
    expect((await submitted([two, '{}'], [...flags, '--check'])).code).toBe(0);
  });

  it('sends nothing but reads with --dry-run', async () => {
    const { code, stdout, requests } = await submitted([good], [...flags, '--check', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('POST');
    expect(requests.map((request) => request.slice(0, 4))).toEqual(['GET ']);
  });

  it('does not go with an editor, in which the work request may change', async () => {
    const { code, requests } = await submitted(['{}'], [...flags, '--check', '--edit']);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
  });

  it('reads the work request, though its id looks like a file', async () => {
    const { code, requests } = await submitted(
      [bad.replace('"wr-1"', '"a/trailer.srt"')],
      ['--work-request', 'a/trailer.srt', '--language', 'fra', '--check'],
    );
    expect(code).toBe(3);
    expect(requests[0]).toMatch(/^GET \/api\/workrequests\/a%2Ftrailer\.srt /);
  });

  it.each([['--preset', 'bbc'], ['--max-cps', '20'], ['--graphics']])(
    'is meant by %s, which does not go without it',
    async (...limits) => {
      const { code, stderr, requests } = await submitted(['{}'], [...flags, ...limits]);
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(stderr).toContain(`${limits[0]} goes with --check`);
    },
  );

  it('needs to know which work request', async () => {
    const { code, stderr, requests } = await submitted(['{}'], ['--language', 'fra', '--check']);
    expect(code).toBe(2);
    expect(stderr).toContain('--work-request');
    expect(requests).toEqual([]);
  });
});
