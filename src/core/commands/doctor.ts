import { endpoints } from '../api/endpoints.ts';
import { buildRequest } from '../client/request.ts';
import { checkStatus, readElements } from '../client/response.ts';
import { type Identity, loginHint } from '../credentials/identity.ts';
import { isExposed, tokenFilePath } from '../credentials/tokenFile.ts';
import {
  type ErrorKind,
  type Hint,
  type Hints,
  MarError,
  orUndefined,
  runHint,
} from '../errors.ts';
import { proxyFor } from '../http/proxy.ts';
import { ServiceRecord } from '../json/serviceRecord.ts';
import { type Canvas, outcome, textResult } from '../output/result.ts';
import type { Context } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { words } from '../values/commandLine.ts';
import { plural } from '../values/numbers.ts';
import { sanitise } from '../values/sanitise.ts';
import { wrapMessage } from '../values/width.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import type { Command } from './command.ts';
import { describeSource, warnOfPlainText } from './whoami.ts';

export const command: Command = {
  summary: 'Find out why mar does not work',
  details:
    'Checks the setup and, with a login, the network and the service. The output contains no token or password, so you can paste it into a ticket.',
  examples: {
    'Run all checks': 'mar doctor',
    'Save the result for a ticket': 'mar doctor -O doctor.json',
  },
  async *run(context) {
    const { reporter } = context;
    const checks: PrintedCheck[] = [];
    const failures: CheckResult[] = [];
    const endWait = reporter.startWait('the next check');
    try {
      for await (const finding of allChecks(context)) {
        const { kind: _kind, hint, ...facts } = finding;
        const printed = { ...facts, hint: hint && reporter.textOf(hint) };
        checks.push(printed);
        if (finding.state === 'failed') failures.push(finding);
        yield textResult((canvas) => `${render(context, finding, canvas)}\n`, {
          onlyFor: 'people',
        });
      }
    } finally {
      endWait();
    }
    const rows = { records: checks.map(ServiceRecord.fromValue), view: { columns: checkColumns } };
    yield outcome({ ok: failures.length === 0, checks }, '', { rows, onlyFor: 'programs' });
    const [first] = failures;
    if (!first) return;
    const names = failures.map(({ name }) => name).join(', ');
    const count = plural(failures.length, 'check');
    throw new MarError(first.kind ?? 'service', `${count} failed: ${names}`);
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
type PrintedCheck = Pick<CheckResult, 'name' | 'state' | 'message'> & { hint?: string };

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
  { reporter, world: { platform } }: Context,
  { name, state, message, hint }: CheckResult,
  { style, ...screen }: Canvas,
): string {
  const paint = { ok: style.green, warning: style.yellow, failed: style.red, skipped: style.dim };
  const indent = ' '.repeat(12);
  const line = `${marks[state]} ${name.padEnd(8)}  ${sanitise(message)}`;
  const [first = '', ...more] = wrapMessage(line, screen, { indent, platform });
  const hintLines = hint ? reporter.linesOf(hint, screen, indent) : [];
  return [paint[state](first[0] ?? '') + first.slice(1), ...more, ...hintLines].join('\n');
}

async function* allChecks(context: Context) {
  const { world, session } = context;
  const { nodeVersion, platform, program } = world;
  yield check('Program', () =>
    ok(`mar ${version}, Node ${nodeVersion} on ${platform}, ${program.at(-1)}`),
  );
  const config = await check('Config', () => {
    const { path } = session.configFile;
    return ok(Object.keys(session.config).length === 0 ? `${path} (not created yet)` : path);
  });
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
  if (!identity) return;
  yield check('Proxy', () => {
    const { host } = identity.baseUrl;
    const proxy = proxyFor(identity.baseUrl, world.env);
    return proxy ? ok(`${proxy.host} leads to ${host}`) : skipped(`none for ${host}`);
  });
  yield checkService(context, identity);
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

/** A failure matters only if the token is stored there. */
async function checkKeychain(session: Session, identity: Identity | undefined) {
  const result = await check('Keychain', async () => {
    await (await session.keychain()).check();
    return ok('can store a token');
  });
  const { source } = identity ?? {};
  const isNeeded = source?.kind === 'store' && source.store === 'keychain';
  if (isNeeded || result.state === 'ok') return result;
  const { name, message, hint } = result;
  return {
    name,
    ...warning(`${message} (your token is not stored there)`, source ? undefined : hint),
  };
}

function checkService({ session }: Context, identity: Identity) {
  return check('Request', async () => {
    const client = await session.client();
    const range = { from: 0, to: 0 };
    const request = buildRequest(endpoints.userList, identity.baseUrl, { range });
    const response = await client.send(request);
    checkStatus(response, loginHint(identity));
    readElements(response);
    return ok(`the service accepts the token of ${identity.email}`);
  });
}
