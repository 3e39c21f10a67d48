import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));

it('packages that are installed with mar have exact versions, native ones included', () => {
  const { dependencies, optionalDependencies } = read('package.json');
  const versions: Record<string, string> = { ...dependencies, ...optionalDependencies };
  expect(Object.keys(versions)).toEqual(expect.arrayContaining(['@napi-rs/keyring', 'libsql']));
  const floating = Object.entries(versions).filter(([, version]) => !/^\d+\.\d+\.\d/.test(version));
  expect(floating).toEqual([]);
});

it('the lock file holds a checksum of each package', () => {
  const packages: Record<string, { integrity?: string }> = read('package-lock.json').packages;
  const unchecked = Object.entries(packages).filter(([name, { integrity }]) => name && !integrity);
  expect(unchecked).toEqual([]);
});
