import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { rawText } from '../../scripts/esbuildPlugins.mjs';
import { temporaryFolder } from '../harness/mar.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const program = `
  import { startSandbox } from ${JSON.stringify(join(root, 'src/sandbox/start.ts'))};
  try {
    const sandbox = await startSandbox(JSON.parse(process.argv[2]));
    process.stdout.write(JSON.stringify(sandbox) + '\\n');
  } catch (error) {
    const { kind, message, details } = error;
    process.stdout.write(JSON.stringify({ kind, message, details }) + '\\n');
  }
`;

let bundled: ReturnType<typeof bundle> | undefined;

const bundle = () =>
  build({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['libsql'],
    plugins: [rawText],
    logLevel: 'error',
  });

/** The sandbox as a separate program, so that it can be killed. It is built once a file. */
export async function bundleSandbox({ libsql = true } = {}): Promise<string> {
  bundled ??= bundle();
  const folder = temporaryFolder();
  const outfile = join(folder, 'sandbox.mjs');
  await writeFile(outfile, (await bundled).outputFiles[0]?.contents ?? '');
  if (libsql) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return outfile;
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
  const kill = () => killNow(child);
  onTestFinished(kill);
  const [line] = await once(createInterface(child.stdout), 'line');
  return { first: JSON.parse(line), kill };
}

async function killNow(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
