import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mar, temporaryFile } from '../../harness/mar.ts';

const published = (file: string) =>
  readFileSync(new URL(`../../../completions/${file}`, import.meta.url), 'utf8');

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
    expect((await mar(['completion', '--help', '--all'])).stdout).toContain(install);
  });

  it.each(['{"settings":{"output":"json"}}', '{'])(
    'prints it whatever the configuration is: %s',
    async (config) => {
      const file = temporaryFile(config, 'config.json');
      const env = { MAR_CONFIG_DIR: path.dirname(file) };
      const run = await mar(['completion', 'bash'], { env });
      expect(run).toEqual({ code: 0, stdout: published('mar.bash'), stderr: '' });
    },
  );

  it('gives it to programs as JSON', async () => {
    const { stdout } = await mar(['completion', 'bash', '--json']);
    expect(JSON.parse(stdout)).toEqual({ shell: 'bash', script: published('mar.bash') });
  });
});
