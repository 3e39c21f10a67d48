import { execFileSync } from 'node:child_process';
import { chownSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort, linesOf, startDaemon } from './daemon.ts';
import { temporaryFolder } from './mar.ts';

interface SquidOptions {
  user: string;
  password: string;
  /** A host name on this machine that only squid can resolve. */
  knows?: string;
}

/** A real squid that requires a user and a password, with its own port and folder. */
export async function startSquid({ user, password, knows = '' }: SquidOptions) {
  const folder = temporaryFolder();
  const file = (name: string) => path.join(folder, name);
  const port = await freePort();
  const hash = execFileSync('/usr/bin/openssl', ['passwd', '-6', '-stdin'], {
    input: password,
    encoding: 'utf8',
  });
  writeFileSync(file('passwords'), `${user}:${hash}`);
  writeFileSync(file('hosts'), `127.0.0.1 localhost ${knows}\n`);
  writeFileSync(
    file('squid.conf'),
    `http_port 127.0.0.1:${port}
${asRoot ? 'cache_effective_user proxy' : ''}
pid_filename none
hosts_file ${file('hosts')}
coredump_dir ${folder}
cache_log ${file('cache.log')}
logformat line %rm %ru %>Hs %un
access_log stdio:${file('access.log')} line
cache deny all
netdb_filename none
pinger_enable off
auth_param basic program /usr/lib/squid/basic_ncsa_auth ${file('passwords')}
auth_param basic children 1 startup=1
acl known proxy_auth REQUIRED
http_access allow known
http_access deny all
`,
  );
  // squid drops root rights, so the folder must belong to the user it changes to.
  if (asRoot) {
    const id = (which: string) =>
      Number(execFileSync('id', [which, 'proxy'], { encoding: 'utf8' }));
    chownSync(folder, id('-u'), id('-g'));
  }
  // SIGTERM takes a second. SIGKILL leaves shared memory behind, which has the service's name.
  const name = `mar${port}`;
  onTestFinished(() => {
    const leftovers = readdirSync('/dev/shm').filter((entry) => entry.startsWith(`${name}-`));
    for (const entry of leftovers) rmSync(path.join('/dev/shm', entry));
  });
  const argv = ['-N', '-n', name, '-d', '1', '-f', file('squid.conf')];
  await startDaemon('/usr/sbin/squid', argv, 'Accepting HTTP Socket connections', 'SIGKILL');
  return {
    port,
    /** The proxy's URL with a user and a password. */
    urlFor: (who: string, secret: string) =>
      `http://${encodeURIComponent(who)}:${encodeURIComponent(secret)}@127.0.0.1:${port}`,
    /** One line per request: `CONNECT localhost:443 200 ines`. */
    requests: () => linesOf(file('access.log')),
  };
}

const asRoot = process.getuid?.() === 0;
