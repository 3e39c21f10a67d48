import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { rawText } from '../../../scripts/esbuildPlugins.mjs';
import { temporaryFolder } from '../../harness/mar.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

const program = `
  import { startSandbox } from ${JSON.stringify(join(root, 'src/modules/sandbox/start.ts'))};
  try {
    const sandbox = await startSandbox(JSON.parse(process.argv[2]));
    process.stdout.write(JSON.stringify(sandbox) + '\\n');
  } catch (error) {
    const { kind, message, details } = error;
    process.stdout.write(JSON.stringify({ kind, message, details }) + '\\n');
  }
`;

/** A program of one file, with this source. */
export async function bundled(contents: string, folder = temporaryFolder()): Promise<string> {
  const outfile = join(folder, 'program.mjs');
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['libsql'],
    plugins: [rawText],
    logLevel: 'error',
  });
  return outfile;
}

/** The sandbox as a separate program, so that it can be killed. */
export async function bundleSandbox({ libsql = true } = {}): Promise<string> {
  const folder = temporaryFolder();
  if (libsql) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return bundled(program, folder);
}

export interface Child {
  /** The first line it printed. */
  // biome-ignore lint/suspicious/noExplicitAny: a sandbox, or the error that kept it from starting.
  first: any;
  kill(): Promise<void>;
}

export async function runSandbox(bundle: string, options: object): Promise<Child> {
  const child = spawn(process.execPath, [bundle, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  const [line] = await once(createInterface(child.stdout), 'line');
  return { first: JSON.parse(line), kill };
}
