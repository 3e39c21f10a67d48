// The list of everything inside the packages, as CycloneDX JSON.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledFile } from '../bundledPackages.mjs';
import { commitTime, run } from './files.mjs';
import { locked } from './locked.mjs';
import { systems } from './systems.mjs';

/**
 * @param {object} parts
 * @param {import('./bundle.mjs').Bundle} parts.bundle
 * @param {{ version: string, description: string }} parts.release
 * @param {string} parts.output
 */
export function writeSbom({ bundle, release, output }) {
  // The npm package and the one-file programs contain nearly the same.
  const bundled = [
    ...new Set([...bundle.packages, ...JSON.parse(readFileSync(bundledFile, 'utf8'))]),
  ];
  const installed = installedPackages();
  const inside = [...bundled.map(bundledPackage), ...systems.map(nodeOf)];
  const mar = `mar-cli@${release.version}`;
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: '',
    version: 1,
    metadata: {
      timestamp: new Date(Number(commitTime) * 1000).toISOString(),
      component: {
        'bom-ref': mar,
        type: 'application',
        name: 'mar-cli',
        version: release.version,
        description: release.description,
        purl: `pkg:npm/${mar}`,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: uniqueComponents([...installed.components, ...inside]),
    dependencies: installed.dependencies.map((one) =>
      one.ref === mar
        ? { ...one, dependsOn: [...new Set([...one.dependsOn, ...refs(inside)])] }
        : one,
    ),
  };
  // From the content instead of at random, so that the same content gives the same file.
  document.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(document))}`;
  writeFileSync(output, `${JSON.stringify(document, null, 2)}\n`);
}

/**
 * @typedef {{ 'bom-ref': string }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Dependency
 */

/**
 * The packages that npm installs with mar, on all systems, and their dependencies.
 * @returns {{ components: Component[], dependencies: Dependency[] }}
 */
function installedPackages() {
  const flags = ['--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'];
  return JSON.parse(run('npm', ['sbom', ...flags]).toString());
}

/** @param {Component[]} components */
const refs = (components) => components.map((component) => component['bom-ref']);

/**
 * A package that is bundled and installed, such as jq-wasm, is listed once.
 * @param {Component[]} components
 */
function uniqueComponents(components) {
  const byRef = new Map(components.map((component) => [component['bom-ref'], component]));
  return [...byRef.keys()].sort().map((ref) => byRef.get(ref));
}

/** @param {string} folder */
function bundledPackage(folder) {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  // Nested folders have an entry of their own.
  const { integrity } = locked(folder.replace(/^node_modules\//, ''));
  return component({ name, version, license, integrity, description: 'bundled' });
}

/** @param {import('./systems.mjs').System} system */
function nodeOf({ name: systemName, node }) {
  const { name, version, integrity } = locked(node);
  const description = `Node.js inside the one-file program for ${systemName}`;
  return component({ name, version, license: 'MIT', integrity, description });
}

/** @param {Record<'name' | 'version' | 'license' | 'integrity' | 'description', string>} found */
function component({ name, version, license, integrity, description }) {
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    description,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') },
    ],
    licenses: [
      / (AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } },
    ],
  };
}

/** @param {string} text */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
