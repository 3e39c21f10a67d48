import { expect, it } from 'vitest';
import { words } from '../../../src/core/values/commandLine.ts';
import { fittedLines, hintLine, withProfile } from '../../../src/core/values/hintLines.ts';

const login = { text: 'To log in, run:', command: words`mar login --email ${'a b'}` };

it.each([
  [words`mar login`, 'mar login --profile PROD'],
  [words`mar wr get ID`, 'mar wr get ID --profile PROD'],
  [words`mar login --help`, 'mar login --help'],
  [words`mar login --profile ${'x'}`, 'mar login --profile x'],
  [words`mar profile list`, 'mar profile list'],
  [words`npm install`, 'npm install'],
])('adds the profile of the run to %j', (command, expected) => {
  expect(hintLine({ text: 'Run:', command }, 'PROD')).toBe(`Run: ${expected}`);
  expect(withProfile(command, undefined)).toEqual(command);
});

it('leaves out a profile that no quoting makes safe', () => {
  expect(hintLine(login, 'a"b')).toBe("To log in, run: mar login --email 'a b' --profile …");
});

const screen = (columns: number) => ({
  screen: { isTerminal: true, columns },
  platform: 'linux' as const,
  profile: undefined,
  clean: (text: string) => text.replaceAll('secret', '[redacted]'),
});

it('fits a hint to a screen, with a command that can still be pasted', () => {
  expect(fittedLines(login, screen(80), '  ')).toEqual([
    "  To log in, run: mar login --email 'a b'",
  ]);
  expect(fittedLines(login, screen(24), '  ')).toEqual([
    '  To log in, run:',
    '    mar login \\',
    "      --email 'a b'",
  ]);
});

it('keeps secrets and control characters out of a message and its command', () => {
  const hint = { text: 'one secret\ntwo\x1b[2J', command: words`mar find ${'secret'}` };
  const [first, second, ...others] = fittedLines(hint, screen(80));
  expect(first).toBe('one [redacted]');
  expect(second).toMatch(/ mar find \[redacted\]$/);
  expect(second).not.toContain('\x1b');
  expect(others).toEqual([]);
});
