import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { installArguments, packedTarball, userEnvironment } from '../harness/package.ts';
import { cleanEnvironment } from '../harness/program.ts';
import { openTerminal } from '../harness/terminal.ts';

let tarball = '';

beforeAll(() => {
  tarball = packedTarball();
}, 120_000);

const shell = ['env', 'PS1=$ ', 'sh'];
const size = { width: 80, height: 24 };

/** Terminals where `mar` is the installed package. They share a home folder, as those of one person do. */
function personWithPackage() {
  const prefix = temporaryFolder();
  const npm = openTerminal(userEnvironment(), { shell });
  expect(npm.run(`npm ${installArguments(prefix, tarball).join(' ')}; echo "code $?"`)).toContain(
    'code 0',
  );
  const home = temporaryFolder();
  const env = cleanEnvironment(home, {
    PATH: `${path.join(prefix, 'bin')}:${process.env.PATH}`,
    TMPDIR: home,
    MAR_CACHE_DIR: path.join(home, 'cache'),
  });
  return { openTerminal: () => openTerminal(env, { shell, ...size }) };
}

it('the first hour: install, try the sandbox, find, open, create, notify, and see it again', async () => {
  const person = personWithPackage();

  const sandbox = person.openTerminal();
  sandbox.type('clear; mar sandbox --ephemeral; echo "ended with $?"');
  const started = await sandbox.until('--insecure-storage');
  const [login = ''] = /echo open-sesame \| mar login[\s\S]*--insecure-storage/.exec(started) ?? [];
  expect(login).toContain('--profile sandbox');

  const terminal = person.openTerminal();
  /** Runs a line that must succeed, and returns the screen. */
  const succeed = (line: string) => {
    const screen = terminal.run(`${line}; echo "code $?"`);
    expect(screen).toContain('code 0');
    return screen;
  };
  /** Runs a line that asks, says yes, and returns the screens of the question and of the end. */
  const agree = async (line: string) => {
    terminal.type(`clear; ${line}; echo "code $?"`);
    const question = await terminal.until('(y/N)');
    terminal.type('y');
    return { question, end: await terminal.until('code 0') };
  };

  terminal.paste(`clear\n${login}; echo "code $?"\n`);
  expect(await terminal.until('code 0')).toContain('as ines@northlight.example');

  const found = succeed('mar find harbor trailer --kind asset');
  expect(found).toMatch(/^asset +a-1001 +The Harbor Light – Trailer A/m);

  const page = 'https://desk.media.example/work-requests/wr-2004';
  expect(succeed(`mar wr history ${page}`)).toMatch(/awaiting-approval +3 d .*so far/);

  const german =
    '--language deu --territory DEU --due +14dT18:00 --tz Europe/Berlin --unset deliveryDeadline';
  const created = await agree(`mar wr create --like ${page} ${german}`);
  expect(created.question).toMatch(/these fields are still those of\s+wr-2004\s+\(spa\):/);
  expect(created.question).toMatch(/^ {2}tags +\["esp"\]$/m);
  expect(created.end.replaceAll(/\s+/g, ' ')).toMatch(
    /Created work request \w+ for The Harbor Light – Trailer B, deu, due \d+ \w+ (?:\d{4} )?18:00 Berlin/,
  );
  const [, id = ''] = /^Id: (\w+)$/m.exec(created.end) ?? [];

  const user = succeed('mar find greta --kind user');
  expect(user).toMatch(/^user +u-greta +Greta Vogel/m);
  const notified = await agree(`mar event put --work-request ${id} --notify-user u-greta`);
  expect(notified.question).toMatch(/^ {2}notify +\{"users":\["u-greta"\],"groups":\[\]\}$/m);
  expect(notified.end).toMatch(/Notifies users +(?:Greta Vogel \()?u-greta/);

  const recent = succeed('mar recent');
  expect(recent).toMatch(new RegExp(`^event +\\w+ +wam[\\s\\S]*^wr +${id} .*Trailer B, deu`, 'm'));
  expect(recent).toMatch(/^wr +wr-2004 .*Trailer B, spa/m);

  sandbox.press('C-c');
  await sandbox.until(/ended with \d/);
}, 300_000);
