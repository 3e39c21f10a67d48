// The baseline for batches: concurrent POSTs with undici, without a journal.
// argv: URL, JSON Lines file, concurrency. MAR_EMAIL and MAR_TOKEN are the login.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const url = new URL(process.argv[2] ?? '');
const rows = readFileSync(process.argv[3] ?? '', 'utf8')
  .trim()
  .split('\n');
const concurrency = Number(process.argv[4]);
const { MAR_EMAIL, MAR_TOKEN } = process.env;
const authorization = `Basic ${Buffer.from(`${MAR_EMAIL}:token-${MAR_TOKEN}`).toString('base64')}`;
const pool = new Pool(url.origin, { connections: concurrency });

let next = 0;
async function sendRows() {
  while (next < rows.length) {
    const row = rows[next];
    next += 1;
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: url.pathname,
      headers: { authorization, 'content-type': 'application/json' },
      body: row,
    });
    JSON.parse(await body.text());
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
  }
}
await Promise.all(Array.from({ length: concurrency }, sendRows));
await pool.close();
