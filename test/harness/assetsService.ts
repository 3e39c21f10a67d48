import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { listening } from './listening.ts';
import { temporaryFolder } from './mar.ts';
import { storedAccount } from './storedAccount.ts';

type Asset = Record<string, unknown>;

export interface AssetsService {
  /** Variables that log mar in to the service, with a separate state folder. */
  env: Record<string, string>;
  /** The JSON of each asset, by its id. */
  stored: Map<string, string>;
  /** Method and id of each request: `PUT a-1`. */
  requests: string[];
  /** The ids of the assets that were written, in order. */
  written(): string[];
  asset(id: string): Asset;
  /** What another user does. */
  change(id: string, fields: Asset): void;
  /** Called before each response. Returns a status other than 200, or closes the connection. */
  treat: (request: string, count: number) => Treatment | Promise<Treatment>;
}

type Treatment = number | 'reset' | 'reset after writing' | undefined;

/** A service with these assets, and with ETags if `tags`. */
export async function assetsService(
  assets: readonly Asset[],
  { tags = false } = {},
): Promise<AssetsService> {
  const texts = assets.map((asset): [string, string] => [String(asset._id), JSON.stringify(asset)]);
  const stored = new Map(texts);
  const requests: string[] = [];
  const service: AssetsService = {
    env: {},
    stored,
    requests,
    written: () => requests.filter((one) => one.startsWith('PUT ')).map((one) => one.slice(4)),
    asset: (id) => JSON.parse(stored.get(id) ?? 'null'),
    change: (id, fields) =>
      stored.set(id, JSON.stringify({ ...JSON.parse(stored.get(id) ?? '{}'), ...fields })),
    treat: () => undefined,
  };
  const tagOf = (text: string) => `"${createHash('sha256').update(text).digest('hex')}"`;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { method = '', url = '' } = request;
    const id =
      method === 'PUT' ? JSON.parse(body)._id : decodeURIComponent(url.split('/').at(-1) ?? '');
    const name = `${method} ${id}`;
    requests.push(name);
    const treatment = await service.treat(name, requests.filter((one) => one === name).length);
    if (treatment === 'reset') return void request.socket.destroy();
    if (typeof treatment === 'number') {
      response.statusCode = treatment;
      if (treatment === 429) response.setHeader('Retry-After', '1');
      return response.end('{"message":"not today"}');
    }
    const before = stored.get(id);
    if (before === undefined) {
      response.statusCode = 404;
      return response.end('{}');
    }
    if (method === 'PUT') {
      const expected = request.headers['if-match'];
      if (tags && expected !== undefined && expected !== tagOf(before)) {
        response.statusCode = 412;
        return response.end('{}');
      }
      stored.set(id, body);
    }
    if (treatment === 'reset after writing') return void request.socket.destroy();
    const text = stored.get(id) ?? '';
    if (tags) response.setHeader('ETag', tagOf(text));
    return response.end(text);
  });
  const { baseUrl } = await listening(server);
  service.env = storedAccount(temporaryFolder(), baseUrl);
  return service;
}
