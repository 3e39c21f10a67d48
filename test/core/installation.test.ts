import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installationOf } from '../../src/core/installation.ts';
import { version } from '../../src/core/version.ts';
import { mar, temporaryFolder } from '../harness/mar.ts';

/** The script of a copy in a new folder, with this file or folder beside its package.json. */
function copyWith(beside: string): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'bin'));
  mkdirSync(path.join(folder, beside));
  const script = path.join(folder, 'bin', 'mar.js');
  writeFileSync(script, '');
  return script;
}

const installer = (
  program: [string, ...string[]],
  { env = {}, marker = '/nowhere' }: { env?: Record<string, string>; marker?: string } = {},
) => installationOf({ env, program }, marker).installedBy;

describe('how mar was installed', () => {
  it('is a clone if there is a .git beside package.json, and else npm', () => {
    expect(installer(['node', copyWith('.git')])).toBe('clone');
    expect(installer(['node', copyWith('node_modules')])).toBe('npm');
    // npm makes a link.
    const link = path.join(temporaryFolder(), 'mar');
    symlinkSync(copyWith('.git'), link);
    expect(installer(['node', link])).toBe('clone');
  });

  it('is one file if there is no script, and deb only for the program of the package', () => {
    const marker = path.join(temporaryFolder(), 'installed-by');
    writeFileSync(marker, 'deb\n');
    expect(installer(['/usr/bin/mar'], { marker })).toBe('deb');
    expect(installer(['/usr/bin/mar'])).toBe('one file');
    expect(installer(['/home/ines/bin/mar'], { marker })).toBe('one file');
    expect(installer(['/usr/bin/mar'], { env: { MAR_INSTALLED_BY: 'image' } })).toBe('image');
  });
});

it('mar --version --json and mar doctor have it, with how to update', async () => {
  const env = { MAR_INSTALLED_BY: 'image' };
  const json = async (argv: string[]) => JSON.parse((await mar(argv, { env })).stdout);
  const program = path.resolve('bin/mar.js');
  const { update, ...others } = await json(['--version', '--json']);
  expect(update).toContain('image');
  expect(others).toEqual({ version, installedBy: 'image', program, node: process.version });
  expect((await mar(['--version'], { env })).stdout).toBe(`${version}\n`);
  const { checks } = await json(['doctor', '--json']);
  const message = expect.stringMatching(`^image: ${program}.*${update}$`);
  expect(checks).toContainEqual({ name: 'Install', state: 'ok', message });
});
