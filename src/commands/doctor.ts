import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { baseUrlName } from '../client/statusError.ts';
import type { Identity } from '../credentials/identity.ts';
import { isExposed, tokenFilePath } from '../credentials/tokenFile.ts';
import { type ErrorKind, MarError } from '../errors.ts';
import { explainTls, stepProblem } from '../http/failure.ts';
import { peerCertificate, resolveHost, type TlsFacts, tryConnect, tryTls } from '../http/probe.ts';
import { describeNoProxy, describeProxy, proxyFor } from '../http/proxy.ts';
import { loadTrust, systemCertificates } from '../http/trust.ts';
import { installationOf } from '../installation.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { outcome, textResult } from '../output/result.ts';
import type { Style } from '../output/style.ts';
import type { Context } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { commandLine } from '../values/commandLine.ts';
import { sanitise } from '../values/sanitise.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import type { Command } from './command.ts';
import { tryClient } from './session.ts';
import { describeSource, warnOfPlainText } from './whoami.ts';

export const command: Command = {
  name: 'doctor',
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
        const { hint } = finding;
        if (hint !== undefined) finding.hint = reporter.withProfile(hint);
        findings.push(finding);
        yield textResult(({ style }) => `${render(finding, style)}\n`, { onlyFor: 'people' });
      }
    } finally {
      endWait();
    }
    const failures = findings.filter(({ state }) => state === 'failed');
    const checks = findings.map(({ kind: _kind, ...facts }) => facts);
    const rows = { records: checks.map(ServiceRecord.fromValue), view: { columns: checkColumns } };
    yield outcome({ ok: failures.length === 0, checks }, '', { rows, onlyFor: 'programs' });
    const [first] = failures;
    if (first) {
      const names = failures.map(({ name }) => name).join(', ');
      const count = failures.length === 1 ? '1 check' : `${failures.length} checks`;
      throw new MarError(first.kind ?? 'service', `${count} failed: ${names}`);
    }
  },
};

type CheckState = 'ok' | 'warning' | 'failed' | 'skipped';

interface CheckResult {
  name: string;
  state: CheckState;
  message: string;
  hint?: string;
  /** The error kind of commands that meet this failure. */
  kind?: ErrorKind;
}

const finding =
  (state: CheckState) =>
  (name: string, message: string, hint?: string): CheckResult => ({ name, state, message, hint });

const ok = finding('ok');
const skipped = finding('skipped');
const warning = finding('warning');
const failed = (name: string, kind: ErrorKind, message: string, hint?: string): CheckResult => ({
  ...finding('failed')(name, message, hint),
  kind,
});

/** Rethrows errors other than a `MarError`: those are bugs. */
function failedWith(name: string, error: unknown): CheckResult {
  if (!(error instanceof MarError)) throw error;
  return failed(name, error.kind, error.message, error.details.hint);
}

const check = async (name: string, work: () => CheckResult | Promise<CheckResult>) => {
  try {
    return await work();
  } catch (error) {
    return failedWith(name, error);
  }
};

const checkColumns = ['name', 'state', 'message', 'hint'].map((path) => ({ title: path, path }));

const marks: Record<CheckState, string> = { ok: '✓', warning: '!', failed: '✗', skipped: '-' };

function render({ name, state, message, hint }: CheckResult, style: Style): string {
  const paint = { ok: style.green, warning: style.yellow, failed: style.red, skipped: style.dim };
  const line = `${paint[state](marks[state])} ${name.padEnd(8)}  ${sanitise(message)}`;
  const hintLines = hint?.split('\n').map((part) => `\n            ${sanitise(part)}`) ?? [];
  return line + hintLines.join('');
}

async function* allChecks(context: Context): AsyncGenerator<CheckResult> {
  yield checkProgram(context.world);
  const { installedBy, program, update } = installationOf(context.world);
  yield ok('Install', `${installedBy}: ${program}. To update: ${update}`);
  const config = await checkConfig(context.session.configFile);
  yield config;
  let identity: Identity | undefined;
  // The identity is unknown if the configuration cannot be read.
  if (config.state !== 'failed') {
    yield await check('Profile', () => {
      identity = context.session.identity();
      const { profile, email, baseUrl } = identity;
      return ok('Profile', `${profile}: ${email} at ${baseUrl.href}`);
    });
  }
  if (identity) yield await checkToken(context, identity);
  yield await checkKeychain(context.session, identity);
  yield checkProxy(context.world);
  yield checkCertificates(context.world);
  if (identity) yield* checkNetwork(context, identity);
}

const oldestNode = [20, 19] as const;

function checkProgram(world: World): CheckResult {
  const [major = 0, minor = 0] = world.nodeVersion.replace('v', '').split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  const message = `mar ${version}, Node ${world.nodeVersion} on ${world.platform}`;
  if (!isOld) return ok('Program', message);
  return failed('Program', 'usage', message, `mar needs Node ${oldestNode.join('.')} or later.`);
}

const checkConfig = (configFile: Session['configFile']) =>
  check('Config', () => {
    if (!existsSync(configFile.path)) return ok('Config', `${configFile.path} (not created yet)`);
    configFile.read();
    return ok('Config', configFile.path);
  });

async function checkToken(context: Context, { source, token }: Identity): Promise<CheckResult> {
  const from = `from ${describeSource(context, source)}`;
  if (source.kind === 'command' || source.kind === 'token-file') {
    return check('Token', async () => {
      await token();
      const exposure = source.kind === 'token-file' && exposureOf(source.path, context.world);
      return exposure ? warning('Token', from, exposure) : ok('Token', from);
    });
  }
  if (source.kind !== 'store' || source.store !== 'file') return ok('Token', from);
  warnOfPlainText(context);
  const exposure = exposureOf(tokenFilePath(context.session.folders.config), context.world);
  const hint = 'It is stored in plain text. To store it in the keychain, run: mar login';
  return warning('Token', from, exposure ? `${exposure}\n${hint}` : hint);
}

function exposureOf(file: string, { platform }: World): string | undefined {
  if (!isExposed(file, platform)) return undefined;
  return `Other users can read it. To prevent that, run: ${commandLine`chmod 600 ${file}`}`;
}

/** Writes, reads and removes a temporary entry. A failure matters only if the token is stored there. */
async function checkKeychain(
  session: Session,
  identity: Identity | undefined,
): Promise<CheckResult> {
  const name = 'Keychain';
  const result = await check(name, async () => {
    const key = { email: `doctor-${randomUUID()}`, origin: 'https://doctor.invalid' };
    const token = randomUUID();
    const keychain = await session.keychain();
    await keychain.write(key, token);
    const back = await keychain.read(key);
    await keychain.remove(key);
    if (back === token) return ok(name, 'works: an entry was written, read and removed');
    return failed(name, 'credential-store', 'it returned another value than was stored');
  });
  const { source } = identity ?? {};
  const isNeeded = source?.kind === 'store' && source.store === 'keychain';
  if (isNeeded || result.state === 'ok') return result;
  return warning(name, `${result.message} (your token is not stored there)`, result.hint);
}

function checkProxy({ env }: World): CheckResult {
  const set = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((variable) => {
    const describe = variable === 'NO_PROXY' ? describeNoProxy : describeProxy;
    const names = [variable, variable.toLowerCase()].filter((name) => env[name]);
    return names.map((name) => `${name}=${describe(env[name] ?? '')}`);
  });
  return set.length === 0 ? skipped('Proxy', 'none set') : ok('Proxy', set.join(', '));
}

function checkCertificates({ env }: World): CheckResult {
  const file = env.NODE_EXTRA_CA_CERTS;
  if (!file) return skipped('CA', 'NODE_EXTRA_CA_CERTS is not set');
  const variable = `NODE_EXTRA_CA_CERTS=${file}`;
  if (existsSync(file)) return ok('CA', variable);
  return warning('CA', `${variable}: no such file`, 'Node ignores it. Fix the path.');
}

const dayMs = 24 * 3600 * 1000;
const minCertificateDays = 14;
/** With a larger difference, signed links and certificates start to fail. */
const maxClockDifferenceMs = 60_000;

/** Each step needs the one before, so a failure ends them. */
async function* checkNetwork(context: Context, identity: Identity): AsyncGenerator<CheckResult> {
  const { baseUrl } = identity;
  let proxy: URL | undefined;
  try {
    proxy = proxyFor(baseUrl, context.world.env);
  } catch (error) {
    yield failedWith('Connect', error);
    return;
  }
  // A proxy resolves the service's name itself.
  const first = proxy ?? baseUrl;
  const steps: readonly DoctorStep[] = [
    [
      'DNS',
      `Check ${baseUrlName} and your network.`,
      async () => ok('DNS', `${first.hostname} is ${(await resolveHost(first)).join(', ')}`),
    ],
    [
      'Connect',
      'Check that the service is running, and that no firewall blocks it.',
      () => tryConnect(first).then(() => ok('Connect', first.host)),
    ],
    ['TLS', '', () => checkTls(context, baseUrl, proxy)],
  ];
  for (const step of steps) {
    const result = await timed(first.host, step);
    yield result;
    if (result.state === 'failed') return;
  }
  yield* checkService(context, identity);
}

type DoctorStep = readonly [name: string, hint: string, work: () => Promise<CheckResult>];

async function timed(place: string, [name, hint, work]: DoctorStep): Promise<CheckResult> {
  const start = performance.now();
  try {
    const result = await check(name, work);
    if (result.state === 'skipped') return result;
    const tookMs = Math.round(performance.now() - start);
    return { ...result, message: `${result.message} (${tookMs} ms)` };
  } catch (error) {
    return failed(name, 'network', `${place}: ${stepProblem(error)}`, hint);
  }
}

async function checkTls(context: Context, url: URL, proxy: URL | undefined): Promise<CheckResult> {
  if (url.protocol !== 'https:') return skipped('TLS', 'plain http');
  if (proxy)
    return skipped('TLS', `not checked: the connection goes through the proxy ${proxy.host}`);
  const { trustOptions } = context.session;
  try {
    const system = trustOptions.systemCa ? systemCertificates() : [];
    return checkExpiry(
      context.world.now(),
      await tryTls(url, await loadTrust(trustOptions, system)),
    );
  } catch (error) {
    if (error instanceof MarError) throw error;
    const cert = await peerCertificate(url);
    const failure = Object.assign(error as Error, { cert });
    const explained = explainTls(url.host, failure, baseUrlName);
    if (!explained) throw error;
    return failed('TLS', 'network', explained.reason, explained.hint);
  }
}

function checkExpiry(now: Date, { protocol, issuer, validTo }: TlsFacts): CheckResult {
  const days = Math.floor((validTo.getTime() - now.getTime()) / dayMs);
  const message = `${protocol}, certificate from ${issuer}, valid for ${days} more days`;
  if (days >= minCertificateDays) return ok('TLS', message);
  const hint = 'The certificate expires soon. Tell the operators of the service.';
  return warning('TLS', message, hint);
}

async function* checkService(context: Context, identity: Identity): AsyncGenerator<CheckResult> {
  let date: string | undefined;
  yield await check('Request', async () => {
    const client = await context.session.clientFor(identity, {
      onResponse: ({ headers }) => {
        date = headers.date;
      },
    });
    await tryClient(client);
    return ok('Request', `the service accepts the token of ${identity.email}`);
  });
  if (date !== undefined) yield checkClock(context.world.now(), date);
}

function checkClock(now: Date, date: string): CheckResult {
  const difference = now.getTime() - Date.parse(date);
  if (Number.isNaN(difference)) return skipped('Clock', 'the service sends no valid date');
  const seconds = Math.round(difference / 1000);
  if (Math.abs(difference) < maxClockDifferenceMs) {
    const isSame = Math.abs(seconds) <= 1;
    return ok('Clock', isSame ? 'same time as the service' : `${seconds} s off from the service`);
  }
  const direction = seconds > 0 ? 'ahead of' : 'behind';
  return warning('Clock', `${Math.abs(seconds)} s ${direction} the service`, 'Set your clock.');
}
