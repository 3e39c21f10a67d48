import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/mar.ts';
import { cleanEnvironment, startProgram } from '../harness/program.ts';
import { type CannedResponse, recordingServer } from '../harness/recordingServer.ts';
import { recordWords } from '../words/records.ts';

const record = '{"_id":"a-1","name":"One"}';
const silence: CannedResponse = { raw: '', afterwards: 'wait' };

/** Types a word, says so, and stays open until it is told to close. */
function slowEditor(folder: string): { EDITOR: string; typed: string; close: string } {
  const script = path.join(folder, 'editor.cjs');
  const [typed, close] = [path.join(folder, 'typed'), path.join(folder, 'close')];
  writeFileSync(
    script,
    `const fs = require('node:fs'); const file = process.argv.at(-1);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('One', 'typed by hand'));
    // Editors do this when they are terminated.
    process.on('SIGTERM', () => { fs.appendFileSync(file, '# saved at the end\\n'); process.exit(1); });
    fs.writeFileSync(${JSON.stringify(typed)}, '');
    // It ends with the test's folder, too: whoever opened it may be dead.
    const isOver = () => fs.existsSync(${JSON.stringify(close)}) || !fs.existsSync(__filename);
    const wait = () => isOver() ? process.exit(0) : setTimeout(wait, 10);
    wait();`,
  );
  return { EDITOR: `${process.execPath} ${script}`, typed, close };
}

async function until(isSo: () => boolean): Promise<void> {
  // A file that appears in another process tells nobody.
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

it.each([
  ['SIGKILL', 'while the editor is open', [record]],
  ['SIGTERM', 'while the editor is open', [record]],
  ['SIGKILL', 'while it reads again', [record, silence]],
  ['SIGTERM', 'while it reads again', [record, silence]],
  ['SIGKILL', 'while it writes', [record, record, silence]],
  ['SIGTERM', 'while it writes', [record, record, silence]],
] as const)('%s %s loses nothing that a person typed', async (signal, _when, answers) => {
  const server = await recordingServer(...answers);
  const folder = temporaryFolder();
  const { EDITOR, typed, close } = slowEditor(folder);
  const env = cleanEnvironment(folder, { ...server.env, EDITOR });
  const child = startProgram(['asset', 'edit', 'a-1'], env);
  const stderr = text(child.stderr);
  await until(() => existsSync(typed));
  if (answers.length > 1) writeFileSync(close, '');
  await until(() => server.requests.length === answers.length);
  child.kill(signal);
  const [code] = await once(child, 'exit');
  writeFileSync(close, '');
  const drafts = path.join(folder, 'state', 'drafts');
  const [name = ''] = readdirSync(drafts).filter((file) => file.endsWith('.yaml'));
  expect(readFileSync(path.join(drafts, name), 'utf8')).toContain('name: typed by hand');
  if (signal === 'SIGKILL') return;
  expect(code, await stderr).toBe(143);
  if (answers.length === 1) {
    expect(readFileSync(path.join(drafts, name), 'utf8')).toContain('# saved at the end');
  }
  expect(await stderr).toContain(recordWords.keptText(path.join(drafts, name)));
});
