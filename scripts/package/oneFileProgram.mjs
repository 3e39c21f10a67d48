// A one-file program: Node for a system, with the script, its WebAssembly and the system's keychain
// library inside.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'postject';
import { fetchLocked, locked } from './locked.mjs';
import { thisMachine } from './systems.mjs';

/** @typedef {import('./systems.mjs').System} System */

/**
 * @param {object} program
 * @param {System} program.system
 * @param {import('./bundle.mjs').Bundle} program.bundle
 * @param {string} program.output
 * @param {boolean} [program.useCodeCache] starts faster, but only a program for this machine can have it
 */
export async function makeProgram({ system, bundle, output, useCodeCache = false }) {
  const folder = path.dirname(bundle.script);
  const node = executable(system, system.node);
  const config = {
    // Relative to the folder: the program contains this name, and a full path would reveal this machine's.
    main: path.basename(bundle.script),
    output: path.resolve(output),
    executable: node,
    disableExperimentalSEAWarning: true,
    useCodeCache,
    // Ignores NODE_OPTIONS, which people set for their own Node programs.
    execArgvExtension: 'none',
    assets: { ...bundle.assets, 'keyring.node': keyringAddon(system) },
  };
  const builder = builderFor(system);
  if (isBuilderOfPrograms(system)) {
    runNode(builder, '--build-sea', config, folder);
  } else {
    const blob = path.join(folder, 'mar.blob');
    runNode(builder, '--experimental-sea-config', { ...config, output: blob }, folder);
    copyFileSync(node, output);
    await injectBlob(output, readFileSync(blob));
    rmSync(blob);
  }
  if (process.platform === 'darwin') sign(output);
}

/**
 * @param {System} system
 * @param {string} name of its package
 */
const executable = ({ extension }, name) => path.join(fetchLocked(name), 'bin', `node${extension}`);

/**
 * The path of the keychain library's native addon.
 * @param {System} system
 */
function keyringAddon({ keyring }) {
  const folder = fetchLocked(keyring);
  const { main } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, main);
}

/**
 * The Node that prepares the program: it runs on this machine, and has the version that goes inside,
 * because Node promises its format to the same version only.
 * @param {System} system
 */
function builderFor(system) {
  const machine = thisMachine();
  const { version } = locked(system.node);
  const isVersionOfMachine = locked(machine.node).version === version;
  return executable(machine, isVersionOfMachine ? machine.node : `${machine.node}-${version}`);
}

/**
 * Node 24 only prepares what is to be injected; Node 26 makes the program. Linux has Node 24, because
 * Node 26 needs libatomic there, which small systems lack.
 * @param {System} system
 */
const isBuilderOfPrograms = (system) => Number.parseInt(locked(system.node).version, 10) >= 26;

/**
 * @param {string} node
 * @param {string} flag
 * @param {object} config
 * @param {string} folder
 */
function runNode(node, flag, config, folder) {
  const file = path.join(folder, 'mar.json');
  writeFileSync(file, JSON.stringify(config));
  // Node reports what it has written on standard error; a failure has it in its message.
  execFileSync(node, [flag, file], { cwd: folder, stdio: 'pipe' });
  rmSync(file);
}

/**
 * postject prints a warning for each section of Linux programs whose name it does not find, in Node's
 * own as well.
 * @param {string} file
 * @param {Buffer} blob
 */
async function injectBlob(file, blob) {
  const { warn } = console;
  console.warn = () => {};
  try {
    // Node's documentation gives both names.
    await inject(file, 'NODE_SEA_BLOB', blob, {
      sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    });
  } finally {
    console.warn = warn;
  }
}

/**
 * Apple Silicon starts only signed programs. Without a certificate the signature holds no name.
 * @param {string} file
 */
function sign(file) {
  execFileSync('codesign', ['--sign', '-', '--force', file], { stdio: 'inherit' });
}
