import { expect, test } from 'vitest';
import { type Endpoint, endpoints } from '../../../src/core/api/endpoints.ts';
import { schemas } from '../../../src/core/api/schemas.ts';
import { isObject, type Json, printJson, toPlain } from '../../../src/core/json/value.ts';
import { demoSeed } from '../../../src/modules/sandbox/seed/demoData.ts';
import { demoSandbox, loggedIn } from './harness.ts';

const now = Date.UTC(2026, 2, 14, 9, 30);
const demoData = [...demoSeed(now, 50)];

test('every demo record fits the schema of its resource', () => {
  for (const { resource, response } of Object.values<Endpoint>(endpoints)) {
    const records = demoData.filter(({ kind }) => kind === resource);
    const isSeeded = resource !== 'Session' && resource !== 'Translation';
    expect([resource, records.length > 0]).toEqual([resource, isSeeded]);
    for (const { id, record } of records) {
      expect(schemas[response]().safeParse(toPlain(record)).error, id).toBeUndefined();
    }
  }
});

test('the same moment yields the same data, another moment other times', () => {
  const texts = (at: number) => [...demoSeed(at, 50)].map(({ record }) => printJson(record));
  expect(texts(now)).toEqual(texts(now));
  expect(texts(now)).not.toEqual(texts(now + 1));
});

test('no two records of a kind have the same id', () => {
  const keys = demoData.map(({ kind, id }) => `${kind} ${id}`);
  expect(new Set(keys).size).toBe(keys.length);
});

/** Every string that looks like the id of a demo record, at any depth. */
function* references(json: Json): Generator<string> {
  if (typeof json === 'string' && /^(?:a|e|f|n|o|p|pv|s|u|wr)-[a-z0-9-]+$/.test(json)) yield json;
  else if (Array.isArray(json)) for (const element of json) yield* references(element);
  else if (isObject(json)) for (const value of json.values()) yield* references(value);
}

test('every record that the demo data refers to exists', () => {
  const ids = new Set(demoData.map(({ id }) => id));
  const named = demoData.flatMap(({ record }) => [...references(record)]);
  expect([...new Set(named)].filter((id) => !ids.has(id))).toEqual([]);
});

const workRequests = demoData
  .filter(({ kind }) => kind === 'WorkRequest')
  // biome-ignore lint/suspicious/noExplicitAny: looked into, not used.
  .map(({ record }) => toPlain(record) as any);

test('work requests are in several states and many languages, with a history', () => {
  expect(new Set(workRequests.map(({ status }) => status)).size).toBeGreaterThanOrEqual(5);
  const languages = workRequests.map(({ language }) => language);
  expect(languages).toEqual(expect.arrayContaining(['fra', 'deu', 'jpn', 'spa', 'ara', 'heb']));
  for (const { status, history, created } of workRequests) {
    expect(history.at(-1).status).toBe(status);
    expect(Object.keys(history[0].user.groups[0])).toEqual(['_id', 'name']);
    const dates = history.map(({ date }: { date: number }) => date);
    expect(dates).toEqual(dates.toSorted((a: number, b: number) => a - b));
    expect(dates[0]).toBe(created);
  }
});

test('some work requests are late, some are blocked, and some are finished on time', () => {
  const open = workRequests.filter(({ status }) => status !== 'complete');
  expect(open.filter(({ due }) => due.date < now).length).toBeGreaterThan(1);
  const blocked = open.filter(({ materials }) =>
    materials.some(({ complete }: { complete: boolean }) => !complete),
  );
  expect(blocked.map(({ status }) => status)).toContain('awaiting-materials');
  const done = workRequests.filter(({ status }) => status === 'complete');
  expect(done.some(({ history, due }) => history.at(-1).date < due.date)).toBe(true);
});

const embeddedUses =
  'broadcast online dcp dcp3d film35 film70 imax imax3d atmos2d atmos3d dolbyVision2d dolbyVision3d';

test('an asset in a work request has the twelve uses of that form', async () => {
  const call = await loggedIn(await demoSandbox());
  const created = await call('POST', '/workrequests', { body: { asset: 'a-1001' } });
  for (const id of ['wr-2001', created.json._id]) {
    const { json } = await call('GET', `/workrequests/${id}`);
    expect(Object.keys(json.asset.usage)).toEqual(embeddedUses.split(' '));
    expect(json.asset.usage).toMatchObject({ online: true, atmos2d: true, dcp3d: false });
  }
});

test('subtitle lines are in order and do not overlap, but for the one request made for checks', () => {
  const faulty = new Set<string>();
  for (const { _id: id, translation } of workRequests) {
    for (const [at, line] of translation.lines.entries()) {
      const previous = translation.lines[at - 1];
      const bad = line.text === '' || line.startTime >= line.stopTime;
      if (bad || (previous && previous.stopTime > line.startTime)) faulty.add(id);
    }
  }
  expect([...faulty]).toEqual(['wr-2009']);
});

/** Bodies that make the service fill in more than an empty body does. */
const fullBodies: Record<string, object> = {
  userPut: { name: 'Tom' },
  assetPut: { _id: 'a-1001', name: 'x' },
  workRequestCreate: { asset: 'a-1001', project: 'p-harbor', language: 'fra' },
  translationCreate: { workRequest: 'wr-2001', language: 'fra' },
  fileCreate: { name: 'x' },
  eventPut: { _id: 'e-4001', type: 'wam' },
};

/** A request that fits the endpoint. It is 404 only for a resource without demo records. */
function exampleRequest(name: string, { method, path, body, resource }: Endpoint) {
  const seeded = demoData.find(({ kind }) => kind === resource)?.id;
  const id = resource === 'Download' ? 'd-000001' : (seeded ?? 'none');
  const isIdInBody = method === 'PUT' && !path.includes('{id}');
  return {
    path: path.replace('{id}', id),
    body: body && (fullBodies[name] ?? (isIdInBody ? { _id: id } : {})),
    expected: id === 'none' && (isIdInBody || path.includes('{id}')) ? 404 : 200,
  };
}

test('every endpoint of the registry is served, and its response fits its schema', async () => {
  const call = await loggedIn(await demoSandbox());
  const names = Object.keys(endpoints).filter((name) => name !== 'sessionCreate');
  // Signing out comes last: it ends the session.
  for (const name of [...names.filter((other) => other !== 'sessionDelete'), 'sessionDelete']) {
    const endpoint = endpoints[name as keyof typeof endpoints] as Endpoint;
    const { path, body, expected } = exampleRequest(name, endpoint);
    const { status, json } = await call(endpoint.method, path, { body });
    expect([name, status]).toEqual([name, expected]);
    if (expected === 404) continue;
    for (const record of endpoint.range ? json : [json]) {
      expect(schemas[endpoint.response]().safeParse(record).error, name).toBeUndefined();
    }
  }
});
