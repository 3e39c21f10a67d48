import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AssetService, assetService } from '../../harness/assetService.ts';
import { mar, marOk, temporaryFolder } from '../../harness/mar.ts';
import { recordingServer, withAssets } from '../../harness/recordingServer.ts';
import { recordWords } from '../../words/records.ts';

const record =
  '{"_id":"a-1","name":"One","2":9007199254740993,"1":1.0,"note":"a\\nb","odd":{"no":"no","x":[]}}';

/** An editor: a script that gets the file's name and its text, and what else was typed before it. */
function editor(script: string): string {
  const file = path.join(temporaryFolder(), 'editor.cjs');
  writeFileSync(
    file,
    `const fs = require('node:fs'); const file = process.argv.at(-1);
let text = fs.readFileSync(file, 'utf8'); const save = (next) => fs.writeFileSync(file, next);
const log = (line) => fs.appendFileSync(${JSON.stringify(`${file}.log`)}, line + '\\n');
${script}`,
  );
  chmodSync(file, 0o755);
  return `${process.execPath} ${file}`;
}

const logFileOf = (command: string) => `${command.split(' ')[1]}.log`;

function draftsOf({ env }: Pick<AssetService, 'env'>): string[] {
  const folder = path.join(env.MAR_STATE_DIR ?? '', 'drafts');
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

const editing = ({ env }: Pick<AssetService, 'env'>, command: string) => ({
  ...env,
  MAR_STATE_DIR: temporaryFolder(),
  EDITOR: command,
});

const edit = (service: AssetService, command: string, ...flags: string[]) =>
  mar(['asset', 'edit', 'a-1', ...flags], { env: { ...service.env, EDITOR: command } });

/** Edits the asset of a new service. `prepare` may change the service before. */
async function edited(
  script: string,
  flags: readonly string[] = [],
  prepare: (service: AssetService) => void = () => {},
) {
  const service = await assetService(record);
  prepare(service);
  const command = editor(script);
  const run = await edit(service, command, ...flags);
  const log = existsSync(logFileOf(command)) ? readFileSync(logFileOf(command), 'utf8') : '';
  const [draft = ''] = draftsOf(service);
  return { service, run, log, draft, text: draft && readFileSync(draft, 'utf8') };
}

/** Changes the name, in any format. */
const rename = `save(text.replace('One', 'Two'))`;

describe('asset edit', () => {
  it('writes what was changed, and nothing else, from YAML', async () => {
    const { service, run, log, draft } = await edited(
      `log(text); save(text.replace('name: One', 'name: "Two"'))`,
    );
    expect(run.code, run.stderr).toBe(0);
    expect(service.text).toBe(record.replace('"One"', '"Two"'));
    expect(log).toMatch(/^# Asset a-1 at 127\.0\.0\.1:\d+, as ines@/);
    expect(log).toContain('\n"2": 9007199254740993\n"1": 1.0\nnote: |-\n  a\n  b\n');
    expect(draft).toBe('');
  });

  it('prints the written record as JSON with --json', async () => {
    const { service, run } = await edited(rename, ['--json']);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toBe(`${service.text}\n`);
    expect(service.text).toBe(record.replace('One', 'Two'));
  });

  it('prefers VISUAL, and passes arguments on', async () => {
    const service = await assetService(record);
    const command = `${editor(`save(text.replace('One', process.argv[2]))`)} --wait`;
    const env = { ...service.env, VISUAL: command, EDITOR: 'false' };
    await marOk(['asset', 'edit', 'a-1'], { env });
    expect(JSON.parse(service.text).name).toBe('--wait');
  });

  const reformat = `save(text.replace('name: One', "name:   'One'"))`;
  it.each([
    ['left as it is', '', []],
    ['saved without a change', 'save(text)', []],
    ['changed in its form alone', reformat, []],
    ['changed in its form alone, in a dry run', reformat, ['--dry-run']],
    ['emptied', `save('')`, []],
    ['left with comments alone', `save('# nothing\\n')`, []],
  ])('%s writes nothing, and leaves nothing behind', async (_name, script, flags) => {
    const { service, run, draft } = await edited(script, flags);
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: '' });
    expect(service.methods).toEqual(['GET']);
    if (flags.length === 0) expect(run.stderr).toContain(recordWords.nothingWritten);
    expect(run.stderr).not.toContain(recordWords.keptText(''));
    expect(draft).toBe('');
  });

  it('that does not parse comes back with the error on top', async () => {
    const { service, run, log } = await edited(
      `log(text.split('\\n')[0]);
      if (text.startsWith('# error: ')) save(text.replace('\\nname: [Two', '\\nname: Two'));
      else save(text.replace('name: One', 'name: [Two'));`,
    );
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(service.text).name).toBe('Two');
    expect(log).toMatch(/\n# error: .* at line \d+, column \d+\n/);
  });

  it('names a line as it stands when it comes back', async () => {
    const { run, log, text } = await edited(
      `const number = /^.* error: .* at line (\\d+)/.exec(text)?.[1];
      if (number) log(text.split('\\n')[number - 1].trim()); else save(text + 'name: again\\n');`,
    );
    expect(run.code, run.stderr).toBe(2);
    expect(log).toBe('name: again\n');
    const told = Number(/ at line (\d+)/.exec(run.stderr)?.[1]);
    expect(text.split('\n')[told - 1]?.trim()).toBe('name: again');
  });

  it('with a value of a wrong type, or another _id, comes back too', async () => {
    const { service, run, log } = await edited(
      `log(text.split('\\n')[0]);
      if (text.includes('_id: a-2')) save(text.replace('_id: a-2', '_id: a-1').replace('name: One', 'name: 5'));
      else if (text.includes('name: 5')) save(text.replace('name: 5', 'name: Two'));
      else save(text.replace('_id: a-1', '_id: a-2'));`,
    );
    expect(run.code, run.stderr).toBe(0);
    expect(log).toContain(`# error: ${recordWords.idChanged('a-1')}\n# error: name: `);
    expect(JSON.parse(service.text).name).toBe('Two');
  });

  it('that is given up broken keeps the text with its comments, and names its place', async () => {
    const { service, run, draft, text } = await edited(
      `if (!text.includes('# mine')) save('# mine\\n' + text.replace('One', '[Two'))`,
    );
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(recordWords.keptText(draft));
    expect(text).toMatch(/\n# mine\n[\s\S]*name: \[Two/);
    expect(service.methods).toEqual(['GET']);
  });

  it('that is left with a failure after a mistake keeps the text', async () => {
    const { run, text } = await edited(
      `if (text.includes('# error')) process.exit(1); save(text.replace('One', '[Two'))`,
    );
    expect(run.code).toBe(2);
    expect(text).toContain('name: [Two');
  });

  it.each([
    ['refuses it', 3, 422],
    ['fails', 1, 500],
  ])('keeps the text when the service %s', async (_name, code, status) => {
    const server = await recordingServer(record, record, { status, body: '{"message":"no"}' });
    const env = editing(server, editor(rename));
    const run = await mar(['asset', 'edit', 'a-1'], { env });
    expect(run.code, run.stderr).toBe(code);
    const [draft = ''] = draftsOf({ env });
    expect(run.stderr).toContain(draft);
    expect(readFileSync(draft, 'utf8')).toContain('name: Two');
  });

  it('goes on top of what others change while it is open', async () => {
    const change = (others: AssetService) => others.changeBetweenReads('"x":[]', '"x":[1]');
    const { service, run } = await edited(rename, [], change);
    expect(run.code, run.stderr).toBe(0);
    expect(service.text).toBe(record.replace('One', 'Two').replace('"x":[]', '"x":[1]'));
  });

  it('of what others change while it is open stops with 6, and keeps the text, which stays guarded', async () => {
    const { service, run, draft } = await edited(rename, [], (others) =>
      others.changeBetweenReads('"One"', '"Theirs"'),
    );
    expect(run.code).toBe(6);
    expect(run.stderr).toContain('theirs: "Theirs"');
    expect(run.stderr).toContain(draft);
    const put = await mar(['asset', 'put', '-f', draft], service);
    expect(put).toMatchObject({ code: 6, stdout: '' });
    expect(put.stderr).toContain('theirs: "Theirs"\n    yours:  "Two"');
  });

  it('with an editor that fails writes nothing', async () => {
    const { service, run, draft } = await edited('process.exit(3)');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('failed with 3');
    expect(draft).toBe('');
    const typed = await edit(service, editor(`save(text + '# typed'); process.exit(3)`));
    expect(typed.stderr).toContain(draftsOf(service)[0]);
  });
});

describe('wr create --edit', () => {
  const fillIn = `save(text.replace('#asset:', 'asset: {_id: a-1}\\n#'))`;

  it('opens the fields that can be filled in, and sends what was', async () => {
    const server = await recordingServer(withAssets('{"_id":"wr-1"}'));
    const env = editing(server, editor(fillIn));
    const run = await mar(['wr', 'create', '--skip-checks', '--edit', '--json'], { env });
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: '{"_id":"wr-1"}\n' });
    expect(server.requests.at(-1)).toMatch(/\r\n\r\n{"asset":{"_id":"a-1"}}$/);
    expect(draftsOf({ env })).toEqual([]);
  });

  it('begins with what is set', async () => {
    const server = await recordingServer('{"_id":"wr-1"}');
    const env = editing(server, editor(`save(text.replace('fra', 'deu'))`));
    await marOk(['wr', 'create', '--skip-checks', '--set', 'language=fra', '--edit'], { env });
    expect(server.requests[0]).toMatch(/\r\n\r\n{"language":"deu"}$/);
  });

  it('opens again on a code that does not exist, and shows which was meant', async () => {
    const server = await recordingServer(withAssets('{"_id":"wr-1"}'));
    const command = editor(`log(text); save(text.replace(/^language: .*$/m,
      text.includes('deu (German)') ? 'language: deu' : 'language: de'))`);
    const env = editing(server, command);
    const whole = ['--asset', 'a-1', '--language', 'fra', '--use', 'online'];
    await marOk(['wr', 'create', ...whole, '--edit'], { env });
    expect(readFileSync(logFileOf(command), 'utf8')).toContain('deu (German)');
    const posts = server.requests.filter((request) => request.startsWith('POST'));
    expect(posts).toEqual([expect.stringContaining('"language":"deu"')]);
  });

  it('that is refused keeps the text', async () => {
    const server = await recordingServer({ status: 400, body: '{"message":"no"}' });
    const env = editing(server, editor(fillIn));
    const run = await mar(['wr', 'create', '--skip-checks', '--edit'], { env });
    expect(run.code).toBe(3);
    const [draft = ''] = draftsOf({ env });
    expect(readFileSync(draft, 'utf8')).toContain('asset: {_id: a-1}');
  });
});
