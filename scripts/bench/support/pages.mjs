// A service with any number of downloads, which it makes up page by page.
// argv: number of records, delay per page in milliseconds.
import { createServer } from 'node:http';

const [total = 0, delayMs = 0] = process.argv.slice(2).map(Number);

/** @param {number} index */
const record = (index) =>
  `{"_id":"d-${index}","asset":{"_id":"a-${index % 997}","name":"Trailer ${index % 89}","type":"trailer.intl"},` +
  `"project":{"_id":"p-${index % 13}","name":"The Harbor Light"},"file":{"_id":"f-${index % 4999}",` +
  `"asset":"a-${index % 997}","name":"trailer_${index % 4999}_fra.mov","project":"p-${index % 13}",` +
  `"studio":"s-1"},"created":${1_700_000_000_000 + index * 1000}}`;

const server = createServer((request, response) => {
  const [, from = '0', to = '9'] = /(\d+)-(\d+)/.exec(String(request.headers['x-range'])) ?? [];
  const end = Math.min(Number(to) + 1, total);
  let body = '';
  for (let index = Number(from); index < end; index += 1) {
    body += (body === '' ? '' : ',') + record(index);
  }
  const respond = () =>
    response
      .setHeader('Content-Type', 'application/json')
      .setHeader('Content-Range', `resources ${from}-${end - 1}/${total}`)
      .end(`[${body}]`);
  if (delayMs > 0) setTimeout(respond, delayMs);
  else respond();
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}/api`);
});
process.stdin.resume().on('end', () => process.exit());
