import { MarError, systemCode } from '../errors.ts';

export interface BrowserWorld {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  signal: AbortSignal;
}

interface Opener {
  command: string;
  args: readonly string[];
}

const startTimeoutMs = 3000;

/**
 * Opens a URL in the browser of $BROWSER, or else in the system's. No shell parses the URL, and the
 * browser gets none of the program's own variables, since they may hold a token.
 */
export async function openInBrowser(url: string, world: BrowserWorld): Promise<void> {
  const tried: string[] = [];
  for (const opener of openersFor(url, world)) {
    const failure = await start(opener, world);
    if (failure === undefined) return;
    tried.push(`${opener.command} ${failure}`);
  }
  throw new MarError('service', `the browser could not be opened: ${tried.join('; ')}`, {
    hint: `open it yourself: ${url}\n--print prints the address alone; BROWSER names another browser`,
  });
}

function openersFor(url: string, { env, platform }: BrowserWorld): Opener[] {
  const value = env.BROWSER?.trim();
  if (value) return browsersIn(value, platform).map((line) => openerOf(line, url));
  if (platform === 'darwin') return [{ command: 'open', args: [url] }];
  // Not `start`, which is part of the shell.
  if (platform === 'win32') {
    return [{ command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] }];
  }
  return [
    { command: 'xdg-open', args: [url] },
    // Opens the Windows browser from WSL.
    { command: 'wslview', args: [url] },
  ];
}

/** `BROWSER` may list several, separated as in PATH. */
const browsersIn = (value: string, platform: NodeJS.Platform): string[] =>
  platform === 'win32' ? [value] : value.split(':').filter((line) => line.trim() !== '');

/** `firefox --new-tab %s`: the URL replaces %s, or is added at the end. */
function openerOf(line: string, url: string): Opener {
  const [command = '', ...args] = line.trim().split(/\s+/);
  const filled = args.map((arg) => arg.replaceAll('%s', () => url));
  return { command, args: line.includes('%s') ? filled : [...filled, url] };
}

async function start({ command, args }: Opener, world: BrowserWorld): Promise<string | undefined> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: withoutOwnVariables(world.env),
      stdio: 'ignore',
      detached: true,
      windowsHide: true,
    });
    const timer = setTimeout(() => end(undefined), startTimeoutMs);
    const interrupt = () => {
      clearTimeout(timer);
      reject(world.signal.reason);
    };
    const end = (failure: string | undefined) => {
      clearTimeout(timer);
      world.signal.removeEventListener('abort', interrupt);
      child.unref();
      resolve(failure);
    };
    world.signal.addEventListener('abort', interrupt, { once: true });
    child.on('error', (error) =>
      end(systemCode(error) === 'ENOENT' ? 'is not installed' : `failed: ${error.message}`),
    );
    child.on('exit', (code) => end(code === 0 ? undefined : `failed (${code ?? 'killed'})`));
  });
}

const withoutOwnVariables = (env: BrowserWorld['env']) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^MAR_/i.test(name)));
