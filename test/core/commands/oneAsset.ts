import { fakeService } from '../../harness/fakeService.ts';

export const asset = {
  _id: 'a-1',
  name: 'One',
  type: 'promo',
  created: 1_796_230_800_000,
  project: 'p-1',
  usage: { online: false, broadcast: true },
  tags: ['b', 'a'],
};

/** A service with one asset: `store` decides what it makes of a body, `answer` what it says, if anything. */
export async function service(
  store: (body: typeof asset) => object,
  answer: (stored: object) => object | undefined = (stored) => stored,
) {
  let stored: object = asset;
  const methods: string[] = [];
  const { env } = await fakeService(({ method, body }) => {
    methods.push(method);
    if (method === 'GET') return JSON.stringify(stored);
    stored = store(JSON.parse(body));
    return JSON.stringify(answer(stored)) ?? { status: 204, body: '' };
  });
  return { env: env as Record<string, string>, methods };
}
