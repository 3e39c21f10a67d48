import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { baseUrlName } from '../client/statusError.ts';
import type { Context } from '../context.ts';
import type { Identity } from '../credentials/identity.ts';
import { tokenFileExposure } from '../credentials/tokenFile.ts';
import { type ErrorKind, MarError, systemCode } from '../errors.ts';
import { findProxy } from '../http/connections.ts';
import { explainTls } from '../http/failure.ts';
import { peerCertificate, resolveHost, type TlsFacts, tryConnect, tryTls } from '../http/probe.ts';
import { describeNoProxy, describeProxy } from '../http/proxy.ts';
import { loadTrust } from '../http/trust.ts';
import { sanitise } from '../terminal/sanitise.ts';
import type { Shown, View } from '../terminal/view.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { tryClient } from './session.ts';
import { describeSource, plainTextWarning } from './whoami.ts';

const marks: Record<State, string> = { ok: '✓', warning: '!', failed: '✗', skipped: '-' };

export const command: Command = {
  name: 'doctor',
  summary: 'Find out why it does not work',
  details:
    'Checks the program, its configuration, the keychain, the way to the service and the login, and says what to do. Its output holds no secret: it can go into a ticket.',
  examples: [
    { does: 'Check everything', line: 'mar doctor' },
    { does: 'For a ticket', line: 'mar doctor --json > doctor.json' },
  ],
  async run(context) {
    const { printer } = context;
    const findings: Finding[] = [];
    for await (const finding of examine(context)) {
      findings.push(finding);
      if (!printer.isForPrograms)
        await context.streams.stdout.write(`${render(context, finding)}\n`);
    }
    const failures = findings.filter(({ state }) => state === 'failed');
    const isOk = failures.length === 0;
    const checks = findings.map(({ kind: _kind, ...facts }) => facts);
    if (printer.isWholeRecord) await printer.outcome({ ok: isOk, checks }, '');
    else if (printer.isForPrograms) await printer.list(once(checks), checksView);
    if (!isOk) {
      const names = failures.map(({ name }) => name).join(', ');
      throw new MarError(failures[0]?.kind ?? 'service', `not in order: ${names}`);
    }
  },
};

/** For a spreadsheet: a row a check. */
const checksView: View = {
  columns: ['name', 'state', 'message', 'hint'].map((path) => ({ title: path, path })),
  card: () => ({ title: '', sections: [] }),
};

async function* once(facts: readonly object[]): AsyncGenerator<Shown[]> {
  yield facts.map((value) => ({ value, text: JSON.stringify(value) }));
}

async function* examine(context: Context): AsyncGenerator<Finding> {
  yield checkProgram(context);
  const config = checkConfig(context);
  yield config;
  // Nobody can tell who the user is from a file that cannot be read.
  const { finding, identity } = config.state === 'failed' ? {} : checkProfile(context);
  if (finding) yield finding;
  if (identity) yield checkToken(context, identity);
  yield await checkKeychain(context, identity);
  yield checkProxy(context);
  yield checkCertificates(context);
  if (identity) yield* checkNetwork(context, identity);
}

function render(context: Context, { name, state, message, hint }: Finding): string {
  const style = context.style;
  const paint = { ok: style.green, warning: style.yellow, failed: style.red, skipped: style.dim };
  const line = `${paint[state](marks[state])} ${name.padEnd(8)}  ${sanitise(message)}`;
  const advice = hint?.split('\n').map((part) => `\n            ${sanitise(part)}`) ?? [];
  return line + advice.join('');
}

/** How a check ended: well, with something to know, or badly. `skipped` had nothing to check. */
export type State = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  name: string;
  state: State;
  message: string;
  /** What to do about it. */
  hint?: string;
  /** Of a failure: what a command that meets it would fail with. */
  kind?: ErrorKind;
}

export const ok = (name: string, message: string): Finding => ({ name, state: 'ok', message });

export const warning = (name: string, message: string, hint?: string): Finding => ({
  name,
  state: 'warning',
  message,
  hint,
});

export const failed = (name: string, kind: ErrorKind, message: string, hint?: string): Finding => ({
  name,
  state: 'failed',
  kind,
  message,
  hint,
});

export const skipped = (name: string, message: string): Finding => ({
  name,
  state: 'skipped',
  message,
});

/*
 * What can be checked without the network.
 */

const oldestNode = [20, 19] as const;

export function checkProgram({ world }: Context): Finding {
  const [major = 0, minor = 0] = world.nodeVersion.replace('v', '').split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  const message = `mar ${version}, Node ${world.nodeVersion} on ${world.platform}`;
  if (!isOld) return ok('Program', message);
  return failed('Program', 'usage', message, `mar needs Node ${oldestNode.join('.')} or newer`);
}

export function checkConfig({ configFile }: Context): Finding {
  if (!existsSync(configFile.path)) return ok('Config', `${configFile.path} (not there yet)`);
  try {
    configFile.read();
    return ok('Config', configFile.path);
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    return failed('Config', error.kind, error.message, error.details.hint);
  }
}

/** Who commands would act as; nobody is a failure, since no command works then. */
export function checkProfile(context: Context): { finding: Finding; identity?: Identity } {
  try {
    const identity = context.identity();
    const { profile, email, baseUrl } = identity;
    return { identity, finding: ok('Profile', `${profile}: ${email} at ${baseUrl.href}`) };
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    return { finding: failed('Profile', error.kind, error.message, error.details.hint) };
  }
}

export function checkToken(context: Context, { source }: Identity): Finding {
  const from = `from ${describeSource(context, source)}`;
  if (source.kind !== 'store' || source.store !== 'file') return ok('Token', from);
  context.note(plainTextWarning(context));
  const exposure = tokenFileExposure(context.folders.config, context.world.platform);
  const hints = [exposure, 'it is stored in plain text: mar login keeps it in the keychain'];
  return warning('Token', from, hints.filter(Boolean).join('\n'));
}

/** A real round trip, with an entry that is thrown away. It matters if the token is kept there. */
export async function checkKeychain(
  context: Context,
  identity: Identity | undefined,
): Promise<Finding> {
  const { source } = identity ?? {};
  const isNeeded = source?.kind === 'store' && source.store === 'keychain';
  const name = 'Keychain';
  try {
    const { keychain } = context;
    const key = { email: `doctor-${randomUUID()}`, origin: 'https://doctor.invalid' };
    const token = randomUUID();
    await keychain.write(key, token);
    const back = await keychain.read(key);
    await keychain.remove(key);
    if (back === token) return ok(name, 'an entry was written, read and removed');
    return failed(name, 'credential-store', 'an entry came back changed');
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    const { kind, message, details } = error;
    if (isNeeded) return failed(name, kind, message, details.hint);
    return warning(name, `${message} (the token is not kept there)`, details.hint);
  }
}

const proxyVariables = {
  HTTPS_PROXY: describeProxy,
  HTTP_PROXY: describeProxy,
  ALL_PROXY: describeProxy,
  NO_PROXY: describeNoProxy,
};

export function checkProxy({ world: { env } }: Context): Finding {
  const set = Object.entries(proxyVariables).flatMap(([variable, describe]) =>
    [variable, variable.toLowerCase()]
      .filter((name) => env[name])
      .map((name) => `${name}=${describe(env[name] ?? '')}`),
  );
  if (set.length === 0) return skipped('Proxy', 'none set');
  return ok('Proxy', set.join(', '));
}

export function checkCertificates({ world: { env } }: Context): Finding {
  const file = env.NODE_EXTRA_CA_CERTS;
  if (!file) return skipped('CA', "Node's own certificates");
  if (existsSync(file)) return ok('CA', `NODE_EXTRA_CA_CERTS=${file}`);
  return warning(
    'CA',
    `NODE_EXTRA_CA_CERTS=${file} is not there`,
    'Node ignores it: mend the path',
  );
}

/*
 * The way to the service, step by step. A step that fails ends it: those after it need it.
 */

const day = 24 * 3600 * 1000;
/** From here on signed links and certificates begin to fail. */
const badClockMs = 60_000;

export async function* checkNetwork(context: Context, identity: Identity): AsyncGenerator<Finding> {
  const { baseUrl } = identity;
  // Behind a proxy, the names and addresses that it can reach are its own affair.
  let proxy: URL | undefined;
  try {
    proxy = await findProxy(baseUrl, context.world.env);
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    yield failed('Connect', error.kind, error.message, error.details.hint);
    return;
  }
  const first = proxy ?? baseUrl;
  const steps: readonly [string, string, () => Promise<Finding>][] = [
    ['DNS', 'check the base URL and your network', () => dns(first)],
    [
      'Connect',
      'check that the service is up, and that no firewall is in the way',
      () => tcp(first),
    ],
    ['TLS', '', () => tls(context, baseUrl, proxy)],
  ];
  for (const [name, hint, step] of steps) {
    const finding = await attempt(name, hint, step);
    yield finding;
    if (finding.state === 'failed') return;
  }
  yield* checkService(context, identity);
}

async function attempt(name: string, hint: string, step: () => Promise<Finding>): Promise<Finding> {
  const start = performance.now();
  try {
    const finding = await step();
    if (finding.state === 'skipped') return finding;
    return {
      ...finding,
      message: `${finding.message} (${Math.round(performance.now() - start)} ms)`,
    };
  } catch (error) {
    return failed(name, 'network', (error as Error).message, hint);
  }
}

async function dns(url: URL): Promise<Finding> {
  return ok('DNS', `${url.hostname} is ${(await resolveHost(url)).join(', ')}`);
}

async function tcp(url: URL): Promise<Finding> {
  await tryConnect(url);
  return ok('Connect', url.host);
}

async function tls(context: Context, url: URL, proxy: URL | undefined): Promise<Finding> {
  if (url.protocol !== 'https:') return skipped('TLS', 'plain http');
  if (proxy) return skipped('TLS', `checked through the proxy ${proxy.host}, with the request`);
  const { caCert } = context.flags;
  try {
    const trust = caCert ? await loadTrust(caCert, context.world.env) : {};
    return certificate(context, await tryTls(url, trust));
  } catch (error) {
    const cert = await peerCertificate(url);
    const { message } = error as Error;
    const checkAddress = `check ${baseUrlName}`;
    const explained = explainTls(url.host, systemCode(error), { cert, message }, { checkAddress });
    if (!explained) throw error;
    return failed('TLS', 'network', explained.reason, explained.hint);
  }
}

function certificate(context: Context, { protocol, issuer, validTo }: TlsFacts): Finding {
  const left = Math.floor((validTo.getTime() - context.world.now().getTime()) / day);
  const message = `${protocol}, certificate from ${issuer}, valid for ${left} more days`;
  if (left >= 14) return ok('TLS', message);
  return warning('TLS', message, 'the certificate runs out soon: tell who runs the service');
}

/** An authenticated request, and the clock: the answer says what time it is there. */
async function* checkService(context: Context, identity: Identity): AsyncGenerator<Finding> {
  let date: string | undefined;
  try {
    const client = await context.clientFor(identity, {
      onResponse: ({ headers }) => {
        date = headers.date;
      },
    });
    await tryClient(client);
    yield ok('Request', `the service knows ${identity.email}`);
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    yield failed('Request', error.kind, error.message, error.details.hint);
  }
  if (date !== undefined) yield clock(context, date);
}

function clock(context: Context, date: string): Finding {
  const difference = context.world.now().getTime() - Date.parse(date);
  if (Number.isNaN(difference)) return skipped('Clock', 'the service sends no readable date');
  const seconds = Math.round(difference / 1000);
  if (Math.abs(difference) < badClockMs) {
    return ok(
      'Clock',
      Math.abs(seconds) <= 1 ? 'as the service has it' : `${seconds} s off the service's`,
    );
  }
  const way = seconds > 0 ? 'ahead of' : 'behind';
  return warning('Clock', `${Math.abs(seconds)} s ${way} the service's`, 'set your clock');
}
