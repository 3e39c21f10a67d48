import type { Context } from '../../context.ts';
import type { Identity } from '../../credentials/identity.ts';
import { MarError, systemCode } from '../../errors.ts';
import { findProxy } from '../../http/connections.ts';
import {
  peerCertificate,
  resolveHost,
  type TlsFacts,
  tryConnect,
  tryTls,
} from '../../http/probe.ts';
import { explainTls } from '../../http/tlsFailure.ts';
import { trusted } from '../../http/trust.ts';
import { tryClient } from '../session.ts';
import { type Finding, failed, ok, skipped, warning } from './checkup.ts';

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
    const trust = caCert ? await trusted(caCert, context.world.env) : {};
    return certificate(context, await tryTls(url, trust));
  } catch (error) {
    const cert = await peerCertificate(url);
    const { message } = error as Error;
    const explained = explainTls(url.host, systemCode(error), { cert, message });
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
    const client = await context.clientOf(identity, {
      onAnswer: ({ headers }) => {
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
