// Draws docs/terminal.svg: the screen of a real terminal (tmux) after some commands against a sandbox.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import stringWidth from 'string-width';

const commands = [
  'mar wr get wr-2001 wr-2002 wr-2003 wr-2004',
  'mar wr history wr-2002',
  'mar downloads list --summary project',
];
const width = 122;
const cell = { width: 8.4, height: 18 };
const margin = 16;
const palette = {
  30: '#3b4252',
  31: '#e06c75',
  32: '#98c379',
  33: '#e5c07b',
  34: '#61afef',
  35: '#c678dd',
  36: '#56b6c2',
  37: '#d8dee9',
  90: '#7f8899',
};

/** The current style. A terminal keeps it from row to row. */
let style = '';

const program = fileURLToPath(new URL('../bin/mar.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'mar-picture-'));
const env = { ...process.env, MAR_CONFIG_DIR: folder, MAR_STATE_DIR: folder, NO_COLOR: undefined };

const sandbox = spawn(process.execPath, [program, 'sandbox', '--ephemeral', '--json'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [ready] = await once(createInterface({ input: sandbox.stdout }), 'line');
  const { baseUrl, email, password } = JSON.parse(ready);
  const login = ['login', '--base-url', baseUrl, '--email', email];
  execFileSync(process.execPath, [program, ...login, '--password-stdin', '--insecure-storage'], {
    env,
    input: password,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const rows = commands.flatMap((command) => [
    `\x1b[0;32m$\x1b[0m ${command}`,
    ...screenAfter(command),
    '',
  ]);
  writeFileSync('docs/terminal.svg', svg(rows.slice(0, -1)));
} finally {
  sandbox.kill();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * The screen after a command, with colour codes.
 * @param {string} command
 */
function screenAfter(command) {
  const socket = `mar-${randomUUID()}`;
  const tmux = (/** @type {string[]} */ ...args) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' });
  const mar = `mar() { ${process.execPath} ${program} "$@"; }`;
  const script = `${mar}; ${command}; tmux -L ${socket} wait-for -S done; sleep 60`;
  tmux('new-session', '-d', '-x', String(width), '-y', '60', 'sh', '-c', script);
  try {
    tmux('wait-for', 'done');
    return tmux('capture-pane', '-p', '-e').trimEnd().split('\n');
  } finally {
    tmux('kill-server');
  }
}

/** @param {readonly string[]} rows */
function svg(rows) {
  const size = {
    width: Math.ceil(width * cell.width) + 2 * margin,
    height: rows.length * cell.height + 2 * margin,
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-label="mar in a terminal">`,
    '<rect width="100%" height="100%" rx="8" fill="#1e222a"/>',
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#d8dee9" xml:space="preserve">`,
    ...rows.map((row, index) => textRow(row, margin + (index + 0.75) * cell.height)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/**
 * @param {string} row
 * @param {number} y
 */
function textRow(row, y) {
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escape codes
  const parts = row.split(/\x1b\[([\d;]*)m/).map((part, index) => {
    if (index % 2 === 1) {
      style = styleOf(part.split(';').map(Number), style);
      return '';
    }
    const x = margin + column * cell.width;
    column += stringWidth(part);
    if (part.trim() === '') return '';
    const length = (stringWidth(part.trimEnd()) * cell.width).toFixed(1);
    return `<tspan x="${x.toFixed(1)}" textLength="${length}"${style}>${escaped(part.trimEnd())}</tspan>`;
  });
  return `<text y="${y.toFixed(1)}">${parts.join('')}</text>`;
}

/**
 * @param {readonly number[]} codes
 * @param {string} before
 */
function styleOf(codes, before) {
  return codes.reduce((style, code) => {
    if (code === 0) return '';
    if (code === 39) return style.replace(/ fill="[^"]*"/g, '');
    if (code === 1) return `${style} font-weight="bold"`;
    if (code === 2) return `${style} fill-opacity="0.6"`;
    const colour = palette[/** @type {keyof typeof palette} */ (code)];
    return colour ? `${style} fill="${colour}"` : style;
  }, before);
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
