import { expect, test } from 'vitest';
import { temporaryFolder } from '../../harness/mar.ts';
import { bundleSandbox, runSandbox } from './bundle.ts';

test('a killed sandbox does not keep its folder locked; a living one does', async () => {
  const bundle = await bundleSandbox();
  const dataDir = temporaryFolder();
  const options = { dataDir, downloads: 10 };
  const living = await runSandbox(bundle, options);
  const second = await runSandbox(bundle, options);
  expect(second.first).toMatchObject({
    kind: 'usage',
    message: expect.stringMatching(`^another sandbox .*${dataDir} `),
  });
  await living.kill();
  const third = await runSandbox(bundle, options);
  expect(third.first.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
});

test('without libsql the error explains what to install', async () => {
  const bundle = await bundleSandbox({ libsql: false });
  const { first } = await runSandbox(bundle, { dataDir: temporaryFolder() });
  expect(first).toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('libsql'),
    details: { hints: [{ command: ['npm', 'install', '-g', 'libsql'] }] },
  });
});
