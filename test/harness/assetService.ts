import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { listening } from './listening.ts';
import { temporaryFolder } from './mar.ts';
import { storedAccount } from './storedAccount.ts';

export interface AssetService {
  /** Variables that log mar in to the service, with a separate state folder. */
  env: Record<string, string>;
  /** The JSON of the only asset. */
  text: string;
  /** The method of each request. */
  methods: string[];
  /** The headers of the last request. */
  headers: Record<string, unknown>;
  /** Called before each response. It may change the asset, like another user would. */
  before: (method: string, count: number) => void;
  change(from: string, to: string): void;
}

/** A service with one asset, stored as the text that was sent. */
export async function assetService(text: string, { tags = false } = {}): Promise<AssetService> {
  const service: AssetService = {
    env: {},
    text,
    methods: [],
    headers: {},
    before: () => {},
    change(from, to) {
      if (!service.text.includes(from)) throw new Error(`no ${from} in ${service.text}`);
      service.text = service.text.replace(from, to);
    },
  };
  const tagOf = () => `"${createHash('sha256').update(service.text).digest('hex').slice(0, 16)}"`;
  const server = createServer(async (request, response) => {
    const method = request.method ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    service.methods.push(method);
    service.headers = request.headers;
    service.before(method, service.methods.filter((one) => one === method).length);
    if (method === 'PUT') {
      const expectedTag = request.headers['if-match'];
      if (tags && expectedTag !== undefined && expectedTag !== tagOf()) {
        response.statusCode = 412;
        return response.end('{"message":"another state"}');
      }
      service.text = Buffer.concat(chunks).toString();
    }
    if (tags) response.setHeader('ETag', tagOf());
    return response.end(service.text);
  });
  const { baseUrl } = await listening(server);
  service.env = storedAccount(temporaryFolder(), baseUrl);
  return service;
}
