import { fakeService, storedLogin, tagOf } from './fakeService.ts';

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
  const { baseUrl } = await fakeService(async ({ method, path, headers, body }) => {
    const id =
      method === 'PUT' ? JSON.parse(body)._id : decodeURIComponent(path.split('/').at(-1) ?? '');
    const name = `${method} ${id}`;
    requests.push(name);
    const treatment = await service.treat(name, requests.filter((one) => one === name).length);
    if (treatment === 'reset') return undefined;
    if (treatment === 429) return { status: 429, headers: { 'Retry-After': '1' }, body: '{}' };
    if (typeof treatment === 'number') return treatment;
    const before = stored.get(id);
    if (before === undefined) return 404;
    if (method === 'PUT') {
      if (tags && (headers['if-match'] ?? tagOf(before)) !== tagOf(before)) return 412;
      stored.set(id, body);
    }
    if (treatment === 'reset after writing') return undefined;
    const text = stored.get(id) ?? '';
    return { headers: tags ? { ETag: tagOf(text) } : {}, body: text };
  });
  const service: AssetsService = {
    env: storedLogin(baseUrl),
    stored,
    requests,
    written: () => requests.filter((one) => one.startsWith('PUT ')).map((one) => one.slice(4)),
    asset: (id) => JSON.parse(stored.get(id) ?? 'null'),
    change: (id, fields) =>
      stored.set(id, JSON.stringify({ ...JSON.parse(stored.get(id) ?? '{}'), ...fields })),
    treat: () => undefined,
  };
  return service;
}
