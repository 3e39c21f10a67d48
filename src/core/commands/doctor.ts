import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Identity } from '../credentials/identity.ts';
import { isExposed, tokenFilePath } from '../credentials/tokenFile.ts';
import {
  baseUrlHint,
  type ErrorKind,
  type Hint,
  type Hints,
  MarError,
  orUndefined,
  runHint,
  usageError,
} from '../errors.ts';
import { explainTls, stepProblem } from '../http/failure.ts';
import { peerCertificate, resolveHost, tryConnect, tryTls } from '../http/probe.ts';
import { describeNoProxy, describeProxy, proxyFor } from '../http/proxy.ts';
import { loadTrust, systemCertificates } from '../http/trust.ts';
import { installationOf } from '../installation.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { outcome, textResult } from '../output/result.ts';
import type { Style } from '../output/style.ts';
import type { Context } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { words } from '../values/commandLine.ts';
import { plural } from '../values/numbers.ts';
import { sanitise } from '../values/sanitise.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import type { Command } from './command.ts';
import { tryClient } from './signIn.ts';
import { describeSource, warnOfPlainText } from './whoami.ts';

export const command: Command = {
  summary: 'Find out why mar does not work',
  details:
    'Checks the program, its configuration, the keychain, the network, the service and the login, and prints what to do. The output contains no secrets, so you can paste it into a ticket.',
  examples: {
    'Run all checks': 'mar doctor',
    'Save the result for a ticket': 'mar doctor -O doctor.json',
  },
  async *run(context) {
    const { reporter } = context;
    const findings: CheckResult[] = [];
    const endWait = reporter.startWait('the next check');
    try {
      for await (const finding of allChecks(context)) {
        findings.push(finding);
        const hint = finding.hint && reporter.textOf(finding.hint);
        const result = { ...finding, hint };
        yield textResult(({ style }) => `${render(result, style)}\n`, { onlyFor: 'people' });
      }
    } finally {
      endWait();
    }
    const failures = findings.filter(({ state }) => state === 'failed');
    const checks = findings.map(({ kind: _kind, hint, ...facts }) => ({
      ...facts,
      hint: hint && reporter.textOf(hint),
    }));
    const rows = { records: checks.map(ServiceRecord.fromValue), view: { columns: checkColumns } };
    yield outcome({ ok: failures.length === 0, checks }, '', { rows, onlyFor: 'programs' });
    const [first] = failures;
    if (first) {
      const names = failures.map(({ name }) => name).join(', ');
      const count = plural(failures.length, 'check');
      throw new MarError(first.kind ?? 'service', `${count} failed: ${names}`);
    }
  },
};

type CheckState = 'ok' | 'warning' | 'failed' | 'skipped';

interface Finding {
  state: CheckState;
  message: string;
  hint?: Hints;
  /** The error kind of commands that meet this failure. */
  kind?: ErrorKind;
}

type CheckResult = Finding & { name: string };
type Findings = AsyncGenerator<CheckResult, void>;

const finding =
  (state: CheckState) =>
  (message: string, hint?: Hints): Finding => ({ state, message, hint });

const ok = finding('ok');
const skipped = finding('skipped');
const warning = finding('warning');

/** A check fails with a `MarError`. Other errors are bugs. */
async function check(name: string, work: () => Finding | Promise<Finding>): Promise<CheckResult> {
  try {
    return { name, ...(await work()) };
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    const { kind, message, details } = error;
    return { name, state: 'failed', message, hint: details.hints, kind };
  }
}

const checkColumns = ['name', 'state', 'message', 'hint'].map((path) => ({ title: path, path }));

const marks: Record<CheckState, string> = { ok: '✓', warning: '!', failed: '✗', skipped: '-' };

function render(
  { name, state, message, hint }: Omit<CheckResult, 'hint'> & { hint?: string },
  style: Style,
): string {
  const paint = { ok: style.green, warning: style.yellow, failed: style.red, skipped: style.dim };
  const line = `${paint[state](marks[state])} ${name.padEnd(8)}  ${sanitise(message)}`;
  const hintLines = hint?.split('\n').map((part) => `\n            ${sanitise(part)}`) ?? [];
  return line + hintLines.join('');
}

async function* allChecks(context: Context) {
  const { world, session } = context;
  yield check('Program', () => checkProgram(world));
  const { installedBy, program, update } = installationOf(world);
  yield check('Install', () => ok(`${installedBy}: ${program}. To update: ${update}`));
  const config = await check('Config', () => checkConfig(session));
  yield config;
  const { config: settings, state } = session.folders;
  yield check('Folders', () =>
    ok(`${settings} (profiles), ${state} (followed requests, log of writes)`),
  );
  // The identity is unknown if the configuration cannot be read.
  if (config.state !== 'failed') {
    yield check('Profile', () => {
      const { profile, email, baseUrl } = session.identity();
      return ok(`${profile}: ${email} at ${baseUrl.href}`);
    });
  }
  const identity = orUndefined(() => session.identity());
  if (identity) yield check('Token', () => checkToken(context, identity));
  yield checkKeychain(session, identity);
  yield check('Proxy', () => checkProxy(world));
  yield check('CA', () => checkCertificates(world));
  if (identity) yield* checkNetwork(context, identity);
}

const oldestNode = [20, 19] as const;

function checkProgram({ nodeVersion, platform }: World): Finding {
  const [major = 0, minor = 0] = nodeVersion.replace('v', '').split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  const message = `mar ${version}, Node ${nodeVersion} on ${platform}`;
  if (!isOld) return ok(message);
  throw usageError(message, `mar needs Node ${oldestNode.join('.')} or later.`);
}

function checkConfig(session: Session): Finding {
  const { path } = session.configFile;
  return ok(Object.keys(session.config).length === 0 ? `${path} (not created yet)` : path);
}

async function checkToken(context: Context, { source, token }: Identity): Promise<Finding> {
  const from = `from ${describeSource(context, source)}`;
  if (source.kind === 'command' || source.kind === 'token-file') {
    await token();
    const exposure = source.kind === 'token-file' && exposureOf(source.path, context.world);
    return exposure ? warning(from, exposure) : ok(from);
  }
  if (source.kind !== 'store' || source.store !== 'file') return ok(from);
  warnOfPlainText(context);
  const exposure = exposureOf(tokenFilePath(context.session.folders.config), context.world);
  const hint = runHint('It is stored in plain text. To store it in the keychain', words`mar login`);
  return warning(from, exposure ? [exposure, hint] : hint);
}

function exposureOf(file: string, { platform }: World): Hint | undefined {
  if (!isExposed(file, platform)) return undefined;
  return runHint('Other users can read it. To prevent that', words`chmod 600 ${file}`);
}

/** Writes, reads and removes a temporary entry. A failure matters only if the token is stored there. */
async function checkKeychain(session: Session, identity: Identity | undefined) {
  const result = await check('Keychain', async () => {
    const key = { email: `doctor-${randomUUID()}`, origin: 'https://doctor.invalid' };
    const token = randomUUID();
    const keychain = await session.keychain();
    await keychain.write(key, token);
    const back = await keychain.read(key);
    await keychain.remove(key);
    if (back === token) return ok('works: an entry was written, read and removed');
    throw new MarError('credential-store', 'it returned another value than was stored');
  });
  const { source } = identity ?? {};
  const isNeeded = source?.kind === 'store' && source.store === 'keychain';
  if (isNeeded || result.state === 'ok') return result;
  const { name, message, hint } = result;
  return { name, ...warning(`${message} (your token is not stored there)`, hint) };
}

function checkProxy({ env }: World): Finding {
  const set = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((variable) => {
    const describe = variable === 'NO_PROXY' ? describeNoProxy : describeProxy;
    const names = [variable, variable.toLowerCase()].filter((name) => env[name]);
    return names.map((name) => `${name}=${describe(env[name] ?? '')}`);
  });
  return set.length === 0 ? skipped('none set') : ok(set.join(', '));
}

function checkCertificates({ env }: World): Finding {
  const file = env.NODE_EXTRA_CA_CERTS;
  if (!file) return skipped('NODE_EXTRA_CA_CERTS is not set');
  const variable = `NODE_EXTRA_CA_CERTS=${file}`;
  if (existsSync(file)) return ok(variable);
  return warning(`${variable}: no such file`, 'Node ignores it. Fix the path.');
}

const dayMs = 24 * 3600 * 1000;
const minCertificateDays = 14;
/** With a larger difference, signed links and certificates start to fail. */
const maxClockDifferenceMs = 60_000;

/** Each step needs the one before, so a failure ends them. */
async function* checkNetwork(context: Context, identity: Identity): Findings {
  const { baseUrl } = identity;
  const { env } = context.world;
  const setting = await check('Connect', () => ok(String(proxyFor(baseUrl, env))));
  if (setting.state === 'failed') return yield setting;
  const proxy = proxyFor(baseUrl, env);
  // A proxy resolves the service's name itself.
  const first = proxy ?? baseUrl;
  const steps = {
    DNS: async () => ok(`${first.hostname} is ${(await resolveHost(first)).join(', ')}`),
    Connect: () => tryConnect(first).then(() => ok(first.host)),
    TLS: () => checkTls(context, baseUrl, proxy),
  };
  for (const [name, work] of Object.entries(steps)) {
    const result = await check(name, () => timed(first.host, stepHints[name], work));
    yield result;
    if (result.state === 'failed') return;
  }
  yield* checkService(context, identity);
}

const stepHints: Readonly<Record<string, Hints>> = {
  DNS: ['Check the base URL and your network.', baseUrlHint],
  Connect: 'Check that the service is running, and that no firewall blocks it.',
};

async function timed(place: string, hint: Hints | undefined, work: () => Promise<Finding>) {
  const start = performance.now();
  try {
    const result = await work();
    if (result.state === 'skipped') return result;
    const tookMs = Math.round(performance.now() - start);
    return { ...result, message: `${result.message} (${tookMs} ms)` };
  } catch (error) {
    if (error instanceof MarError) throw error;
    throw new MarError('network', `${place}: ${stepProblem(error)}`, { hint });
  }
}

async function checkTls(context: Context, url: URL, proxy: URL | undefined): Promise<Finding> {
  if (url.protocol !== 'https:') return skipped('plain http');
  if (proxy) return skipped(`not checked: the connection goes through the proxy ${proxy.host}`);
  const { trustOptions } = context.session;
  try {
    const system = trustOptions.systemCa ? systemCertificates() : [];
    const trust = await loadTrust(trustOptions, url.origin, system);
    return checkExpiry(context.world.now(), await tryTls(url, trust));
  } catch (error) {
    if (error instanceof MarError) throw error;
    const cert = await peerCertificate(url);
    const explained = explainTls(url.host, Object.assign(error as Error, { cert }));
    if (!explained) throw error;
    throw new MarError('network', explained.reason, { hint: explained.hint });
  }
}

function checkExpiry(now: Date, peer: Awaited<ReturnType<typeof tryTls>>): Finding {
  const { protocol, issuer, validTo } = peer;
  const days = Math.floor((validTo.getTime() - now.getTime()) / dayMs);
  const message = `${protocol}, certificate from ${issuer}, valid for ${days} more days`;
  if (days >= minCertificateDays) return ok(message);
  return warning(message, 'The certificate expires soon. Tell the operators of the service.');
}

async function* checkService({ session, world }: Context, identity: Identity) {
  let date: string | undefined;
  yield check('Request', async () => {
    const client = await session.clientFor(identity, {
      onResponse: ({ headers }) => {
        date = headers.date;
      },
    });
    await tryClient(client);
    return ok(`the service accepts the token of ${identity.email}`);
  });
  const sent = date;
  if (sent !== undefined) yield check('Clock', () => checkClock(world.now(), sent));
}

function checkClock(now: Date, date: string): Finding {
  const difference = now.getTime() - Date.parse(date);
  if (Number.isNaN(difference)) return skipped('the service sends no valid date');
  const seconds = Math.round(difference / 1000);
  if (Math.abs(difference) < maxClockDifferenceMs) {
    const isSame = Math.abs(seconds) <= 1;
    return ok(isSame ? 'same time as the service' : `${seconds} s off from the service`);
  }
  const direction = seconds > 0 ? 'ahead of' : 'behind';
  return warning(`${Math.abs(seconds)} s ${direction} the service`, 'Set your clock.');
}
