import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, program } from '../harness/program.ts';

it('the script for a CI job in docs/sandbox/sandbox.md passes, and then the sheet can be ordered again', () => {
  const page = readFileSync(new URL('../../docs/sandbox/sandbox.md', import.meta.url), 'utf8');
  const [, script = ''] = /^```bash\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const folder = temporaryFolder();
  const bin = program.map((part) => `'${part}'`).join(' ');
  writeFileSync(path.join(folder, 'mar'), `#!/bin/sh\nexec ${bin} "$@"\n`, { mode: 0o755 });
  const next = [
    'rm requests.csv.mar-journal',
    'mar wr create --batch requests.csv --profile sandbox --json > again.json',
  ];
  writeFileSync(path.join(folder, 'test.sh'), [script, ...next].join('\n'));
  const rows = [
    'asset,language,territory,uses.items',
    ...['a-1001,fra,FRA,online', 'a-1001,deu,DEU,online', 'a-1001,ita,ITA,online'],
  ];
  writeFileSync(path.join(folder, 'requests.csv'), `${rows.join('\n')}\n`);
  const env = cleanEnvironment(folder, { PATH: `${folder}:${process.env.PATH}` });
  execFileSync('bash', ['test.sh'], { cwd: folder, env });
  const again = JSON.parse(readFileSync(path.join(folder, 'again.json'), 'utf8'));
  expect(again).toMatchObject({ rows: 3, sentNow: 3 });
});
