import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fetchNode, nodeMajors } from '../../scripts/nodeVersions.mjs';
import { filesBelow, temporaryFolder } from '../harness/mar.ts';
import { installArguments, packedTarball, root, userEnvironment } from '../harness/package.ts';
import { cleanEnvironment, logInTo, runProgram, startSandboxProgram } from '../harness/program.ts';

/** The maximum size of an installation: mar and 8 dependencies. A new one needs a reason. */
const maxPackages = 9;
/** The server for agents takes 0.6 MB of it, telling languages apart 1.0. */
const maxBytes = 32_500_000;

let tarball = '';

beforeAll(() => {
  // Downloads, the first time.
  for (const major of nodeMajors) fetchNode(major);
  tarball = packedTarball();
});

/** An empty prefix, and environments in which `node` is the one in question. */
function emptyPrefix(major: number) {
  const PATH = `${path.dirname(fetchNode(major))}:${process.env.PATH}`;
  const home = temporaryFolder();
  return {
    prefix: temporaryFolder(),
    npmEnv: { ...userEnvironment(), PATH },
    env: cleanEnvironment(home, { PATH, TMPDIR: home, MAR_CACHE_DIR: path.join(home, 'cache') }),
  };
}

type Prefix = ReturnType<typeof emptyPrefix>;

function install({ prefix, npmEnv }: Prefix, what: string): string {
  const line = installArguments(prefix, what);
  const options = { env: npmEnv, encoding: 'utf8', timeout: 180_000 } as const;
  const { status, stdout, stderr } = spawnSync('npm', line, options);
  expect(status, stderr).toBe(0);
  return stdout + stderr;
}

const programIn = ({ prefix }: Prefix) => [path.join(prefix, 'bin', 'mar')] as const;
const modulesOf = ({ prefix }: Prefix) => path.join(prefix, 'lib', 'node_modules');

/** Packages, told from other folders that have a package.json by their place. */
const manifestsIn = (files: readonly string[]) =>
  files
    .filter((file) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')));

describe.each(nodeMajors)('installed with Node %i', (major) => {
  it('mar is small, warns of nothing and works', async () => {
    const home = emptyPrefix(major);
    expect(install(home, tarball)).not.toMatch(/warn|deprecated|script/i);
    const files = filesBelow(modulesOf(home));
    const manifests = manifestsIn(files);
    expect(manifests.length, manifests.map(({ name }) => name).join(' ')).toBeLessThanOrEqual(
      maxPackages,
    );
    expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(maxBytes);
    expect(files.filter((file) => file.endsWith('binding.gyp'))).toEqual([]);
    for (const { name, scripts = {} } of manifests) {
      const run = Object.keys(scripts).filter((script) => /^(pre|post)?install$/.test(script));
      expect(run, name).toEqual([]);
    }

    const { env } = home;
    const program = programIn(home);
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const printed = await runProgram(['--version'], env, '', program);
    expect(printed).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    await logInTo(await startSandboxProgram(['--ephemeral'], env, program), env, [], program);
    const got = await runProgram(['asset', 'get', 'a-1001', '--json'], env, '', program);
    expect(got.code, got.stderr).toBe(0);
    expect(JSON.parse(got.stdout)._id).toBe('a-1001');
    const manFolder = path.join(home.prefix, 'share', 'man', 'man1');
    expect(readdirSync(manFolder)).toContain('mar-wr-create.1');
    expect(readFileSync(path.join(manFolder, 'mar.1'), 'utf8')).toContain(`"mar ${version}"`);
    const doctor = await runProgram(['doctor'], env, '', program);
    expect(doctor.stdout).toMatch(new RegExp(`Node v${major}\\.`));
  });
});

describe('without the optional packages, as the page about CI installs it', () => {
  it('the commands for a service work, and much less is installed', async () => {
    const home = emptyPrefix(nodeMajors[0] ?? 0);
    const line = ['install', '--no-save', '--omit=optional', '--no-audit', '--no-fund', tarball];
    expect(readFileSync(path.join(root, 'docs/ci.md'), 'utf8')).toContain(
      `npm ${line.slice(0, 3).join(' ')} ./`,
    );
    const options = { env: home.npmEnv, cwd: home.prefix, encoding: 'utf8' } as const;
    const { status, stderr: problem } = spawnSync('npm', line, options);
    expect(status, problem).toBe(0);
    const size = filesBelow(path.join(home.prefix, 'node_modules'))
      .map((file) => statSync(file).size)
      .reduce((sum, one) => sum + one, 0);
    expect(size).toBeLessThan(10_000_000);

    const { env } = home;
    const program = [path.join(home.prefix, 'node_modules', '.bin', 'mar')] as const;
    await logInTo(await startSandboxProgram(['--ephemeral'], env), env, [], program);
    const order = '--asset a-1001 --language ita --territory ITA --use online --due +14d';
    for (const command of [
      'asset get a-1001 --jq ._id',
      'asset put a-1001 --set name=New --yes',
      `wr create ${order} --json`,
      'downloads list --limit 3 -o csv',
      `file list --limit 3 -O ${path.join(home.prefix, 'files.xlsx')}`,
      'log',
      'logout',
    ]) {
      const { code, stderr } = await runProgram(command.split(' '), env, '', program);
      expect(code, `${command}: ${stderr}`).toBe(0);
    }
  });
});

describe('without the database of the sandbox', () => {
  it('the sandbox explains what to install, that repairs it, and the rest works', async () => {
    const home = emptyPrefix(nodeMajors[0] ?? 0);
    install(home, tarball);
    rmSync(path.join(modulesOf(home), 'mar-cli', 'node_modules', 'libsql'), { recursive: true });
    const { env } = home;
    const program = programIn(home);
    expect(await runProgram(['asset', '--help'], env, '', program)).toMatchObject({ code: 0 });
    const { code, stderr } = await runProgram(['sandbox', '--ephemeral'], env, '', program);
    expect(code).toBe(2);
    expect(stderr).toContain('npm install -g libsql');

    install(home, 'libsql');
    const { baseUrl } = await startSandboxProgram(['--ephemeral'], env, program);
    expect(baseUrl).toContain('http://127.0.0.1:');
  });
});
