import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, configFile } from '../../../src/core/config/configFile.ts';
import { mar, temporaryFile, temporaryFolder } from '../../harness/mar.ts';
import { recordingServer } from '../../harness/recordingServer.ts';

const profile = { baseUrl: 'https://media.example/api', email: 'a@b', store: 'file' } as const;

/** A config folder whose config.json holds the given text. */
function folderWith(text: string): { folder: string; file: string } {
  const file = temporaryFile(text, 'config.json');
  return { folder: path.dirname(file), file };
}

const addProfile = (name: string) => (config: Config) => {
  config.profiles = { ...config.profiles, [name]: profile };
};

const mode = (file: string) => statSync(file).mode & 0o777;

const withProfile = (fields: object) =>
  JSON.stringify({ profiles: { a: { ...profile, ...fields } } });

const broken: [name: string, text: string, told: string][] = [
  ['half a file', '{"profiles": {', 'at line 1, column 15'],
  ['an empty file', '', 'at line 1, column 1'],
  ['a comma too many', '{\n  "defaultProfile": "a",\n}', 'at line 3, column 1'],
  ['a key twice', '{"profiles":{},\n"profiles":{}}', 'duplicate key "profiles" at line 2'],
  ['an array', '[]', 'expected an object'],
  ['a default that is no name', '{"defaultProfile":1}', ': defaultProfile: '],
  ['profiles that are a list', '{"profiles":[]}', ': profiles: '],
  ['a profile that is none', '{"profiles":{"a":1}}', ': profiles.a: '],
  ['no base URL', '{"profiles":{"a":{}}}', ': profiles.a.baseUrl: '],
  ['no e-mail', withProfile({ email: null }), ': profiles.a.email: '],
  ['an unknown store', withProfile({ store: 'memory' }), ': profiles.a.store: '],
  ['a list as a command', withProfile({ tokenCommand: ['op'] }), ': profiles.a.tokenCommand: '],
];

describe('config.json', () => {
  it('is empty where there is none, and is not made by reading', async () => {
    const folder = path.join(temporaryFolder(), 'mar');
    expect(await configFile(folder).read()).toEqual({});
    expect(existsSync(folder)).toBe(false);
  });

  it('gives back what was written, in a file for people', async () => {
    const folder = temporaryFolder();
    const written = { defaultProfile: 'studio', profiles: { studio: profile } };
    await configFile(folder).update((config) => void Object.assign(config, written));
    expect(await configFile(folder).read()).toEqual(written);
    const text = readFileSync(path.join(folder, 'config.json'), 'utf8');
    expect(text).toMatch(/^{\n {2}"defaultProfile": "studio",\n/);
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('keeps settings that this version does not know', async () => {
    const { folder, file } = folderWith('{"theme":{"dark":true},"profiles":{}}');
    await configFile(folder).update(addProfile('a'));
    const kept = { theme: { dark: true }, profiles: { a: profile } };
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(kept);
  });

  it.each(['__proto__', 'constructor', 'toString'])('may have a profile named %s', async (name) => {
    const folder = temporaryFolder();
    await configFile(folder).update(addProfile(name));
    await configFile(folder).update(addProfile('other'));
    const { profiles = {} } = await configFile(folder).read();
    expect(Object.keys(profiles)).toEqual([name, 'other']);
    expect('baseUrl' in {}).toBe(false);
  });

  it.each(broken)('with %s is named with the place, and never written over', async (...row) => {
    const [, text, told] = row;
    const { folder, file } = folderWith(text);
    const server = await recordingServer('{"token":"t","email":"a@b"}');
    const env = { MAR_CONFIG_DIR: folder, MAR_BASE_URL: server.baseUrl };
    const login = ['login', '--email', 'a@b', '--password-stdin', '--insecure-storage'];
    for (const argv of [['whoami'], ['config', 'set', 'output', 'json'], login]) {
      const run = await mar(argv, { env, stdin: 'secret' });
      expect(run).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toContain(`error: ${file}: `);
      expect(run.stderr).toContain(told);
    }
    expect(server.requests).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('that cannot be read is named', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'config.json'));
    const { code, stderr } = await mar(['whoami'], { env: { MAR_CONFIG_DIR: folder } });
    expect(code).toBe(2);
    expect(stderr).toContain(path.join(folder, 'config.json'));
  });

  it('is left as it was when the change fails', async () => {
    const { folder, file } = folderWith('{"defaultProfile":"a"}');
    const change = () => {
      throw new Error('no');
    };
    await expect(configFile(folder).update(change)).rejects.toThrow('no');
    expect(readFileSync(file, 'utf8')).toBe('{"defaultProfile":"a"}');
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('cannot be in a folder that cannot be made, and explains what to do', async () => {
    const env = { MAR_CONFIG_DIR: '/proc/mar' };
    const { code, stderr } = await mar(['config', 'set', 'output', 'json'], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: .* \/proc\/mar: .*\n.* MAR_CONFIG_DIR/);
  });
});

describe.skipIf(process.platform === 'win32')('on disk', () => {
  it('config.json gets its modes back when they were opened', async () => {
    const { folder, file } = folderWith('{}');
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    await configFile(folder).update(addProfile('a'));
    expect([mode(folder), mode(file)]).toEqual([0o700, 0o600]);
  });

  it('config.json is 0600 in a folder of 0700, made with all above it, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      const folder = path.join(temporaryFolder(), 'deep', 'mar');
      await configFile(folder).update(addProfile('a'));
      expect([mode(folder), mode(path.join(folder, 'config.json'))]).toEqual([0o700, 0o600]);
    } finally {
      process.umask(before);
    }
  });
});
