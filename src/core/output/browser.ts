import { once } from 'node:events';
import { MarError, systemCode } from '../errors.ts';
import { systemReason } from '../files/systemReason.ts';
import type { TerminalWorld } from './streams.ts';

type Opener = readonly [command: string, ...args: string[]];

const startTimeoutMs = 3000;

/** No shell parses the URL, and the browser gets no variable of mar, which may hold a token. */
export async function openInBrowser(url: string, world: TerminalWorld): Promise<void> {
  const tried: string[] = [];
  for (const opener of openersFor(url, world)) {
    const failure = await start(opener, world);
    if (failure === undefined) return;
    tried.push(`${opener[0]} ${failure}`);
  }
  throw new MarError('local', `cannot open the browser: ${tried.join('; ')}`, {
    hint: `Set BROWSER to use another browser, or open the page yourself: ${url}`,
  });
}

function openersFor(url: string, { env, platform }: TerminalWorld): Opener[] {
  const [command, ...args] = env.BROWSER?.trim().split(/\s+/) ?? [];
  if (command) return [[command, ...args, url]];
  if (platform === 'darwin') return [['open', url]];
  // Not `start`, which is part of the shell.
  if (platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler', url]];
  // `wslview` opens the Windows browser from WSL.
  return ['xdg-open', 'wslview'].map((command) => [command, url]);
}

async function start(
  [command, ...args]: Opener,
  world: TerminalWorld,
): Promise<string | undefined> {
  const { spawn } = await import('node:child_process');
  const child = spawn(command, args, {
    env: Object.fromEntries(Object.entries(world.env).filter(([name]) => !/^MAR_/i.test(name))),
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
  });
  // A program that is still running then shows the page.
  const isOpen = AbortSignal.timeout(startTimeoutMs);
  try {
    const [code] = await once(child, 'exit', { signal: AbortSignal.any([world.signal, isOpen]) });
    return code === 0 ? undefined : `failed (${code ?? 'killed'})`;
  } catch (error) {
    world.signal.throwIfAborted();
    if (isOpen.aborted) return undefined;
    return systemCode(error) === 'ENOENT' ? 'is not installed' : `failed: ${systemReason(error)}`;
  } finally {
    child.unref();
  }
}
