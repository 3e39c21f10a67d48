import { fakeService, storedLogin, tagOf } from './fakeService.ts';

export interface AssetService {
  baseUrl: string;
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
  /** Changes the asset between the two reads of a guarded write. */
  changeBetweenReads(from: string, to: string): void;
}

/** A service with one asset, stored as the text that was sent. */
export async function assetService(text: string, { tags = false } = {}): Promise<AssetService> {
  const { baseUrl } = await fakeService(({ method, headers, body }) => {
    service.methods.push(method);
    service.headers = headers;
    service.before(method, service.methods.filter((one) => one === method).length);
    if (method === 'PUT') {
      const expected = headers['if-match'] ?? tagOf(service.text);
      if (tags && expected !== tagOf(service.text)) return 412;
      service.text = body;
    }
    return { headers: tags ? { ETag: tagOf(service.text) } : {}, body: service.text };
  });
  const service: AssetService = {
    baseUrl,
    env: storedLogin(baseUrl),
    text,
    methods: [],
    headers: {},
    before: () => {},
    change(from, to) {
      if (!service.text.includes(from)) throw new Error(`no ${from} in ${service.text}`);
      service.text = service.text.replace(from, to);
    },
    changeBetweenReads(from, to) {
      service.before = (method, count) => {
        if (method === 'GET' && count === 2) service.change(from, to);
      };
    },
  };
  return service;
}
