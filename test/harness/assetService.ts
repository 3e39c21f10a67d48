import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { listening } from './listening.ts';
import { temporaryFolder } from './mar.ts';

export interface AssetService {
  /** Variables that log the program in to it, with a state folder of their own. */
  env: Record<string, string>;
  /** The one asset there is, as its text. */
  text: string;
  /** Each request: `GET`, `PUT`, or whatever it was. */
  methods: string[];
  /** The headers of the last request. */
  headers: Record<string, unknown>;
  /** Told before a request is answered; it may change the asset, as somebody else would. */
  before: (method: string, count: number) => void;
  /** Changes a part of the text. */
  change(from: string, to: string): void;
}

/** A service with one asset, which it keeps as the text that it was sent. */
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
      const wanted = request.headers['if-match'];
      if (tags && wanted !== undefined && wanted !== tagOf()) {
        response.statusCode = 412;
        return response.end('{"message":"another state"}');
      }
      service.text = Buffer.concat(chunks).toString();
    }
    if (tags) response.setHeader('ETag', tagOf());
    return response.end(service.text);
  });
  const { env } = await listening(server);
  service.env = {
    ...env,
    MAR_STATE_DIR: temporaryFolder(),
  };
  return service;
}
