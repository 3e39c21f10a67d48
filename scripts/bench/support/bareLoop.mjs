// The baseline for lists: fetch page after page with undici, JSON.parse, print one line per record.
// argv: URL of the list, page size. MAR_EMAIL and MAR_TOKEN are the login.
import { once } from 'node:events';
import { Client } from 'undici';

const url = new URL(process.argv[2] ?? '');
const pageSize = Number(process.argv[3]);
const { MAR_EMAIL, MAR_TOKEN } = process.env;
const authorization = `Basic ${Buffer.from(`${MAR_EMAIL}:token-${MAR_TOKEN}`).toString('base64')}`;
const client = new Client(url.origin);

for (let from = 0; ; from += pageSize) {
  const { body } = await client.request({
    method: 'GET',
    path: url.pathname,
    headers: { authorization, 'x-range': `resources=${from}-${from + pageSize - 1}` },
  });
  const records = JSON.parse(await body.text());
  if (records.length === 0) break;
  for (const record of records) {
    if (!process.stdout.write(`${JSON.stringify(record)}\n`)) await once(process.stdout, 'drain');
  }
}
await client.close();
