import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import type { SchemaMismatch as ApiMisfit } from '../../src/api/schemaMismatch.ts';
import type { schemas as apiSchemas } from '../../src/api/schemas.ts';
import {
  type Asset,
  type Client,
  createClient,
  type Download,
  type EndpointId,
  endpoints,
  type Records,
  type SchemaMismatch,
  type User,
  type WorkRequest,
} from '../../src/library/library.ts';

/*
 * These hold when they compile (`npm run check:types`). The types that the library's users see are
 * made from JSON Schema: they must be those that the program itself has from zod.
 */

type FromZod = {
  [Name in keyof typeof apiSchemas]: z.infer<ReturnType<(typeof apiSchemas)[Name]>>;
};
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

test('records have the types that their schemas check', () => {
  expectTypeOf<keyof Records>().toEqualTypeOf<keyof FromZod>();
  expectTypeOf<{ [Name in keyof FromZod]: Same<Records[Name], FromZod[Name]> }>().toEqualTypeOf<{
    [Name in keyof FromZod]: true;
  }>();
  expectTypeOf<WorkRequest['due']>().toEqualTypeOf<
    { date?: number; tz?: string; [field: string]: unknown } | undefined
  >();
  expectTypeOf<SchemaMismatch>().toEqualTypeOf<ApiMisfit>();
});

/** Never called: only its types matter. */
async function calls(client: Client): Promise<void> {
  expectTypeOf((await client.call(endpoints.assetGet, { id: 'a-1' })).value).toEqualTypeOf<Asset>();
  expectTypeOf((await client.call(endpoints.sessionCreate)).value.token).toEqualTypeOf<string>();
  await client.call(endpoints.workRequestCreate, { body: { asset: 'a-1', invented: 1 } });
  await client.call(endpoints.workRequestCreate, { body: '{"asset":"a-1"}' });
  for await (const { records } of client.pages(endpoints.downloadList, { query: { q: 'x' } })) {
    for (const { value } of records) expectTypeOf(value).toEqualTypeOf<Download>();
  }
  for await (const { records } of client.pages(endpoints.userList)) {
    for (const { value } of records) expectTypeOf(value).toEqualTypeOf<User>();
  }

  // @ts-expect-error the path has an id
  await client.call(endpoints.assetGet);
  // @ts-expect-error the path has no id
  await client.call(endpoints.assetPut, { id: 'a-1', body: {} });
  // @ts-expect-error it takes a body
  await client.call(endpoints.assetPut);
  // @ts-expect-error the body's known fields have types
  await client.call(endpoints.assetPut, { body: { name: 7 } });
  // @ts-expect-error a list is read in pages
  await client.call(endpoints.userList);
  // @ts-expect-error it is no list
  client.pages(endpoints.assetGet);
  // @ts-expect-error it has no such parameter
  client.pages(endpoints.downloadList, { query: { qq: 'x' } });
  // @ts-expect-error it has no parameters
  client.pages(endpoints.userList, { query: { q: 'x' } });
  // @ts-expect-error either a token or a password
  createClient({ baseUrl: 'https://media.example/api', email: 'a@b', token: 't', password: 'p' });
}

test('calls are as strict as their endpoints', () => {
  expect(calls).toBeTypeOf('function');
  expectTypeOf<EndpointId>().toEqualTypeOf<keyof typeof endpoints>();
});
