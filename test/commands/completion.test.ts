import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFolder } from '../harness/mar.ts';

const published = (file: string) =>
  readFileSync(new URL(`../../completions/${file}`, import.meta.url), 'utf8');

describe('mar completion', () => {
  it.each([
    ['bash', 'mar.bash', 'source <(mar completion bash)'],
    ['zsh', '_mar', 'mar completion zsh > ~/.zfunc/_mar'],
    ['fish', 'mar.fish', 'mar completion fish > ~/.config/fish/completions/mar.fish'],
    ['powershell', 'mar.ps1', 'mar completion powershell >> $PROFILE'],
  ])('prints the script for %s, with how to install it', async (shell, file, install) => {
    const run = await mar(['completion', shell], { columns: 80 });
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: published(file) });
    const top = run.stdout.split(/^[^#]/m)[0];
    expect(top).toContain(install);
    expect((await mar(['completion', '--help'])).stdout).toContain(install);
  });

  it('prints it whatever the setting for results is', async () => {
    const env = { MAR_CONFIG_DIR: temporaryFolder() };
    await mar(['config', 'set', 'output', 'json'], { env });
    const { stdout } = await mar(['completion', 'bash'], { env });
    expect(stdout).toBe(published('mar.bash'));
  });

  it('prints it whatever is wrong with the configuration', async () => {
    const env = { MAR_CONFIG_DIR: temporaryFolder() };
    writeFileSync(path.join(env.MAR_CONFIG_DIR, 'config.json'), '{');
    expect(await mar(['completion', 'bash'], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  it('gives it to programs as JSON', async () => {
    const { stdout } = await mar(['completion', 'bash', '--json']);
    expect(JSON.parse(stdout)).toEqual({ shell: 'bash', script: published('mar.bash') });
  });

  it('names the shells there are', async () => {
    const run = await mar(['completion', 'tcsh']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('bash, zsh, fish, powershell');
    expect((await mar(['completion'])).code).toBe(2);
  });
});
