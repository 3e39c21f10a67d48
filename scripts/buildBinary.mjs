// Builds the one-file program of this machine, build/mar. Its code is compiled at build time.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundleProgram } from './package/bundle.mjs';
import { makeProgram } from './package/oneFileProgram.mjs';
import { thisMachine } from './package/systems.mjs';

const system = thisMachine();
const folder = path.resolve('build/binary');
const output = path.resolve('build', `mar${system.extension}`);
rmSync(output, { force: true });
mkdirSync(folder, { recursive: true });
const bundle = await bundleProgram(path.join(folder, 'mar.cjs'));
await makeProgram({ system, bundle, output, useCodeCache: true });
rmSync(folder, { recursive: true });
