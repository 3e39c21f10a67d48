import { fakeService, rangeOf } from '../../harness/fakeService.ts';

/** A service that lists users, ten at a time, and merges or stores what is put. */
export async function userService(count = 1) {
  const users = Array.from({ length: count }, (_, index) => ({
    _id: `u-${index + 1}`,
    name: `User ${index + 1}`,
    password: `hash ${index + 1}`,
    roles: ['editor'],
    invite: null,
    groups: [{ _id: 'g-1', addresses: [{ postalCode: 75001 }] }],
  }));
  const requests: string[] = [];
  const service = {
    users: users as Record<string, unknown>[],
    requests,
    answer: undefined as string | undefined,
  };
  const { env } = await fakeService((request) => {
    const { method, path, body } = request;
    if (method === 'GET') {
      const { from, to, range } = rangeOf(request);
      requests.push(`GET ${range}`);
      return JSON.stringify(service.users.slice(from, to + 1));
    }
    requests.push(`${method} ${path}`);
    if (service.answer !== undefined) return service.answer;
    const index = service.users.findIndex(({ _id }) => path === `/session/${_id}`);
    service.users[index] = JSON.parse(body);
    return body;
  });
  return { ...service, service, env: env as Record<string, string> };
}
