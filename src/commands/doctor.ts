import type { Context } from '../context.ts';
import { MarError } from '../errors.ts';
import { sanitise } from '../terminal/sanitise.ts';
import type { Shown, View } from '../terminal/view.ts';
import type { Command } from './command.ts';
import type { Finding, State } from './doctor/checkup.ts';
import {
  checkCertificates,
  checkConfig,
  checkKeychain,
  checkProfile,
  checkProgram,
  checkProxy,
  checkToken,
} from './doctor/local.ts';
import { checkNetwork } from './doctor/network.ts';

const marks: Record<State, string> = { ok: '✓', warning: '!', failed: '✗', skipped: '-' };

export const doctor: Command = {
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
