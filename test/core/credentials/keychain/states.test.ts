import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Keychain, keychain } from '../../../../src/core/credentials/keychain/keychain.ts';
import { temporaryFolder } from '../../../harness/mar.ts';
import { accountWords } from '../../../words/account.ts';
import { type FakeBusOptions, failureOf, fakeBus, type Item } from './fakeBus.ts';

const key = { email: "in'es@northlight.example", origin: 'https://media.example' };
const username = `${key.email} ${key.origin}`;
const item: Item = { path: '/org/freedesktop/secrets/collection/login/1', secret: 's3cret' };
const other: Item = { path: '/org/freedesktop/secrets/collection/other/1', secret: 'old' };

/** Longer than a test may take: who waits for it fails. */
const longMs = 600_000;
/** For who waits to its end: long enough for a busy machine to get as far as the missing answer. */
const shortMs = 1500;

const open = (env: Record<string, string>, limitMs = longMs): Keychain =>
  keychain({ env, platform: 'linux', execPath: '/nonexistent/node', limitMs });

async function readFrom(options: FakeBusOptions, limit?: number) {
  const bus = await fakeBus(options);
  return open(bus.env, limit).read(key);
}

const problemOf = async (options: FakeBusOptions, limit?: number) =>
  (await failureOf(readFrom(options, limit))).message;
const locked: FakeBusOptions = { items: [{ ...item, isLocked: true }] };

describe('a token in the Secret Service', () => {
  it.each<[string, FakeBusOptions]>([
    ['from a bus at a path', {}],
    ['from a bus in an abstract socket', { address: 'abstract' }],
    ['when the bus sends a byte at a time', { isDripping: true }],
  ])('is read %s', async (_, options) => {
    expect(await readFrom({ items: [item], ...options })).toBe('s3cret');
  });

  it('is read as it is, whatever its characters', async () => {
    const secret = 'é漢👩‍🚀\n"\\ '.repeat(500);
    expect(await readFrom({ items: [{ ...item, secret }] })).toBe(secret);
  });

  it('that is not there is no failure', async () => {
    expect(await readFrom({})).toBeUndefined();
    expect(await readFrom({ defaultKeyring: '/' })).toBeUndefined();
  });

  it('that is locked is unlocked, with a prompt or without', async () => {
    expect(await readFrom(locked)).toBe('s3cret');
    expect(await readFrom({ ...locked, prompt: 'unlocks' })).toBe('s3cret');
  });

  it('that nobody shows as long as it is locked is looked for again once it is not', async () => {
    const bus = await fakeBus({ isKeyringLocked: true, prompt: 'unlocks' });
    expect(await open(bus.env).read(key)).toBeUndefined();
    expect(bus.calls.filter((name) => name === 'SearchItems')).toHaveLength(2);
  });

  it('leaves no connection behind, read or not', async () => {
    const bus = await fakeBus({ items: [item] });
    await open(bus.env).read(key);
    const broken = await fakeBus({ steps: { SearchItems: 'silence' } });
    await failureOf(open(broken.env, shortMs).read(key));
    await Promise.all([bus.deserted(), broken.deserted()]);
  });
});

describe('each state of the keychain has its own words', () => {
  it('no address of a bus', async () => {
    const { message } = await failureOf(open({}).read(key));
    expect(message).toMatch(/ DBUS_SESSION_BUS_ADDRESS .*XDG_RUNTIME_DIR /);
  });

  it('nobody at the address', async () => {
    const folder = temporaryFolder();
    const { message } = await failureOf(open({ XDG_RUNTIME_DIR: folder }).read(key));
    expect(message).toMatch(new RegExp(` at unix:path=${folder}/bus$`));
  });

  const failing = (error: string, text?: string): FakeBusOptions => {
    const step = { error, text };
    return { items: [item], steps: { OpenSession: step, SearchItems: step, GetSecret: step } };
  };
  const absent = 'ServiceUnknown NameHasNoOwner Spawn.ExecFailed Spawn.ServiceNotFound'.split(' ');
  it.each<[message: string, states: FakeBusOptions[], limit?: number]>([
    [
      accountWords.keychainNotOnBus,
      absent.map((name) => failing(`org.freedesktop.DBus.Error.${name}`)),
    ],
    [
      accountWords.keychainLocked,
      [
        { ...locked, withoutPrompt: 'stays locked' },
        failing('org.freedesktop.Secret.Error.IsLocked'),
      ],
    ],
    [accountWords.keychainStaysLocked, [{ ...locked, prompt: 'dismissed' }]],
    [
      accountWords.keychainSilent,
      ['OpenSession', 'SearchItems', 'GetSecret'].map((member) => ({
        ...{ items: [item], steps: { [member]: 'silence' as const } },
      })),
      shortMs,
    ],
    [accountWords.keychainSilent, [failing('org.freedesktop.DBus.Error.NoReply')]],
    [
      accountWords.keychainError('org.example.Error.Strange: out of luck'),
      [failing('org.example.Error.Strange', 'out of luck')],
    ],
    [
      accountWords.busRefuses('BUS'),
      [
        { introduction: Buffer.from('REJECTED EXTERNAL\r\nERROR\r\n') },
        { introduction: 'hang up' },
        { steps: { Hello: 'hang up' } },
      ],
    ],
    [
      accountWords.busSilent('BUS'),
      [
        { introduction: 'silence' },
        { introduction: Buffer.from('DATA\r\n') },
        { steps: { Hello: 'silence', OpenSession: 'silence', SearchItems: 'silence' } },
      ],
      shortMs,
    ],
  ])('%s', async (message, states, limit) => {
    const found = await Promise.all(states.map((state) => problemOf(state, limit)));
    for (const one of found) expect(one.replace(/unix:path=\S+/, 'BUS')).toBe(message);
  });

  it('locked: nobody responds to the prompt, and it is taken back', async () => {
    const bus = await fakeBus({ ...locked, prompt: 'never' });
    const { message, hint } = await failureOf(open(bus.env, shortMs).read(key));
    expect(message).toBe(accountWords.keychainLocked);
    expect(hint).toMatch(/^Unlock /);
    await bus.deserted();
    expect(bus.calls.at(-1)).toBe('Dismiss');
  });

  it('two entries that match', async () => {
    for (const items of [
      [item, other],
      [item, { ...other, isLocked: true }],
    ]) {
      const { message, hint } = await failureOf(readFrom({ items }));
      expect(message).toBe(accountWords.severalEntries(username));
      expect(hint).toContain(
        `secret-tool clear service mar username "in'es@northlight.example https://media.example"`,
      );
    }
  });

  it('no keyring to store in, which only matters to who stores', async () => {
    const bus = await fakeBus({ defaultKeyring: '/' });
    for (const work of [open(bus.env).check(), open(bus.env).write(key, 'token')]) {
      const { message } = await failureOf(work);
      expect(message).toBe(accountWords.noDefaultKeyring);
    }
  });
});

describe('a bus that misbehaves', () => {
  const garbage = Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n');

  it.each<[string, FakeBusOptions]>([
    ['hangs up half-way', { steps: { SearchItems: 'hang up' } }],
    ['hangs up before the secret', { items: [item], steps: { GetSecret: 'hang up' } }],
    ['is no bus', { introduction: garbage }],
    ['sends garbage instead of an answer', { steps: { Hello: garbage } }],
    ['is big-endian', { steps: { Hello: Buffer.from(`B\x02\0\x01${'\0'.repeat(12)}`) } }],
  ])('and %s is a failure at once', async (_, options) => {
    expect(await problemOf(options)).toContain(accountWords.keychainUnusable);
  });
});

describe('the time that a command may lose', () => {
  it('is shared by all that it asks, and the last words stand', async () => {
    const bus = await fakeBus({ ...locked, prompt: 'never' });
    const store = open(bus.env, shortMs);
    const first = await failureOf(store.read(key));
    const callsOfFirst = bus.calls.length;
    const second = await failureOf(store.remove(key));
    expect(second.message).toBe(first.message);
    expect(bus.calls.slice(callsOfFirst)).not.toContain('Prompt');
  });

  it('is not used up by quick responses', async () => {
    const bus = await fakeBus({ items: [item] });
    const store = open(bus.env);
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += longMs / 200;
      return now;
    });
    onTestFinished(() => clock.mockRestore());
    while (now < 2 * longMs) expect(await store.read(key)).toBe('s3cret');
  });
});
