// Exporting, checking and fixing the translation of a feature film, compared with reading its record.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measure, program, rounds, startServer } from './support/measure.mjs';

const lineCount = Number(process.env.BENCH_LINES ?? 3000);

const server = `
const at = (second) => new Date(second * 1000).toISOString().slice(11, 23).replace('.', ',');
const texts = ['Il n’a jamais manqué une nuit.', 'Mon père a gardé ce phare<br>pendant quarante ans.',
  '<i>Mayday, mayday.<br>Ici l’Aurelia.</i>', '- Éteins-la&nbsp;!<br>- Je ne peux pas&nbsp;!'];
// Two frames before the next line; every tenth line leaves a gap that check reports and fix closes.
const stop = (index) => index * 3 + (index % 10 === 0 ? 2.8 : 2.917);
const lines = Array.from({ length: ${lineCount} }, (_, index) => ({
  number: index + 1, text: texts[index % texts.length], auto: false, custom: true, machine: false,
  startTime: at(index * 3), stopTime: at(stop(index)), alignment: 'bottom', textAlign: 'center',
  split: '', merged: '', range: [index * 3, stop(index)],
}));
const record = JSON.stringify({ _id: 'wr-1', language: 'fra', translation: { language: 'fra', lines } });
require('node:http').createServer((request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(record);
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
process.stdin.resume().on('end', () => process.exit());
`;

const folder = mkdtempSync(path.join(tmpdir(), 'mar-bench-'));
const { firstLine: port, stop } = await startServer(['-e', server]);
const env = {
  ...process.env,
  MAR_CONFIG_DIR: folder,
  MAR_STATE_DIR: folder,
  MAR_CACHE_DIR: folder,
  MAR_BASE_URL: `http://127.0.0.1:${port}/api`,
  MAR_EMAIL: 'ines@northlight.example',
  MAR_TOKEN: 'token',
};

const file = path.join(folder, 'movie.fra.srt');
spawnSync(process.execPath, [program, 'translation', 'export', 'wr-1', '-O', file], { env });

const baseline = 'mar wr get';
const limit = 2;
/** @param {string} command */
const run = (command) => ({ name: `mar ${command}`, argv: [program, ...command.split(' ')], env });
const cases = [
  { ...run('wr get wr-1'), name: baseline },
  run('wr get wr-1 --json'),
  ...['srt', 'vtt', 'ttml', 'csv', 'json'].map((format) =>
    run(`translation export wr-1 --format ${format}`),
  ),
  run('translation check wr-1'),
  { ...run(`translation fix ${file}`), name: 'mar translation fix FILE' },
];

try {
  const median = measure(cases, { stdout: openSync('/dev/null', 'w') });
  console.log(`Subtitles: ${lineCount} lines, ${rounds} rounds, median times`);
  for (const { name } of cases) {
    const ratio = `${(median(name) / median(baseline)).toFixed(2)} × ${baseline} (limit: ${limit})`;
    console.log(
      `  ${name.padEnd(42)} ${median(name).toFixed(0).padStart(5)} ms  ${name === baseline ? '' : ratio}`,
    );
  }
} finally {
  stop();
  rmSync(folder, { recursive: true, force: true });
}
