// Makes everything that a release has, in build/release/: `npm run package`.
//   --only this-machine   only what this machine can run
//   --site URL            the address of the project, which the Homebrew formula and the Scoop manifest name
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleProgram } from './package/bundle.mjs';
import { writeChecksums } from './package/checksums.mjs';
import { notices } from './package/copyright.mjs';
import { makeDeb } from './package/debian.mjs';
import { makeImage } from './package/image.mjs';
import { writeManifests } from './package/manifests.mjs';
import { makeProgram } from './package/oneFileProgram.mjs';
import { writeSbom } from './package/sbom.mjs';
import { systems, thisMachine } from './package/systems.mjs';
import { makeTarball } from './package/tarball.mjs';

const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
const defaultSite = GITHUB_REPOSITORY
  ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
  : 'https://mar.example';
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    site: { type: 'string', default: defaultSite },
  },
});
const isComplete = options.only !== 'this-machine';
const chosen = isComplete ? systems : [thisMachine()];

const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'));
const release = { version, description, site: options.site, host: new URL(options.site).host };
const folder = path.resolve('build/release');
const workFolder = path.resolve('build/package');
/** @param {string} name */
const file = (name) => path.join(folder, name);

/**
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 */
async function step(name, work) {
  const start = Date.now();
  const result = await work();
  console.log(`${name.padEnd(32)} ${((Date.now() - start) / 1000).toFixed(1).padStart(6)} s`);
  return result;
}

for (const one of [folder, workFolder]) {
  rmSync(one, { recursive: true, force: true });
  mkdirSync(one, { recursive: true });
}

await step('npm package', () => makeTarball(folder, release));
const bundle = await step('script', () => bundleProgram(path.join(workFolder, 'mar.cjs')));

/** @type {Map<import('./package/systems.mjs').System, string>} */
const programs = new Map();
for (const system of chosen) {
  const output = file(`mar-${version}-${system.name}${system.extension}`);
  await step(`program for ${system.name}`, () => makeProgram({ system, bundle, output }));
  programs.set(system, output);
}

for (const [system, program] of programs) {
  if (!system.debian) continue;
  const parts = { system, bundle, program, release };
  const deb = file(`mar_${version}_${system.debian}.deb`);
  await step(`.deb for ${system.debian}`, () => makeDeb({ ...parts, output: deb }));
  const image = file(`mar-${version}-image-${system.debian}.tar`);
  await step(`image for ${system.debian}`, () => makeImage({ ...parts, output: image }));
}

const sbom = file(`mar-${version}.cdx.json`);
await step('list of contents', () => writeSbom({ bundle, release, output: sbom }));
const licences = file(`mar-${version}-notices.txt`);
await step('licences', () => writeFileSync(licences, notices(chosen[0] ?? thisMachine(), bundle)));
if (isComplete) await step('manifests', () => writeManifests({ programs, release, folder }));
await step('checksums', () => writeChecksums(folder));

console.log(`\nbuild/release has:`);
for (const name of readdirSync(folder)) {
  console.log(`${name.padEnd(32)} ${(statSync(file(name)).size / 1e6).toFixed(2).padStart(7)} MB`);
}
