// The cost of reading the token from a real keychain, compared with `node -e 0`.
// Runs itself again inside a session bus with its own keyring.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure, program, rounds, startService } from './support/measure.mjs';

const self = fileURLToPath(import.meta.url);
if (process.argv[2] === 'inside') await measureKeychain();
else startSession();

function startSession() {
  const tools = ['dbus-run-session', 'gnome-keyring-daemon'];
  const missing = tools.find((tool) => spawnSync(tool, ['--version']).error);
  if (missing) {
    console.log(`Keychain: not measured, ${missing} is not installed`);
    return;
  }
  const home = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));
  const runtime = path.join(home, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: runtime };
  for (const name of ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME']) delete env[name];
  const unlock = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
  const line = `${unlock}; exec "${process.execPath}" "${self}" inside`;
  try {
    const { status } = spawnSync('dbus-run-session', ['--', 'sh', '-c', line], {
      env,
      stdio: ['ignore', 'inherit', 'ignore'],
    });
    if (status !== 0) throw new Error(`the keyring's session exited with ${status}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function measureKeychain() {
  const { baseUrl, stop } = await startService();
  try {
    /** @param {string} name @param {string[]} flags */
    const logIn = (name, ...flags) => {
      const env = { ...process.env, MAR_CONFIG_DIR: path.join(process.env.HOME ?? '', name) };
      const argv = [
        program,
        'login',
        '--base-url',
        baseUrl,
        '--email',
        'a@b',
        '--token-stdin',
        ...flags,
      ];
      const { status, stderr } = spawnSync(process.execPath, argv, { env, input: 'token' });
      if (status !== 0) throw new Error(`login exited with ${status}: ${stderr}`);
      return env;
    };
    const get = [program, 'asset', 'get', 'a-1001', '--json'];
    const median = measure([
      { name: 'node -e 0', argv: ['-e', '0'], env: process.env },
      { name: 'file', argv: get, env: logIn('file', '--insecure-storage') },
      { name: 'keychain', argv: get, env: logIn('keychain') },
    ]);
    const added = median('keychain') - median('file');
    const share = (100 * added) / median('node -e 0');
    console.log(`Keychain: ${rounds} rounds, median times of mar asset get`);
    console.log(`  token from a file      ${median('file').toFixed(0).padStart(5)} ms`);
    console.log(`  token from keychain    ${median('keychain').toFixed(0).padStart(5)} ms`);
    console.log(
      `  added                  ${added.toFixed(1).padStart(5)} ms  ${share.toFixed(0)} % of node -e 0 (aim: 10)`,
    );
  } finally {
    stop();
  }
}
