import { version } from '../version.ts';
import type { Schemas } from './types.ts';

export { type Endpoint, type EndpointId, endpoints, type RecordName } from '../api/endpoints.ts';
export { type ErrorDetails, type ErrorKind, MarError } from '../errors.ts';
export { createClient } from './createClient.ts';
export type * from './records.ts';
export type * from './types.ts';

/** Each part is loaded on first use, because most programs use none. */
export const schemas: Schemas = {
  async json(name) {
    const { recordSchema } = await import('../api/jsonSchema.ts');
    return recordSchema(name);
  },
  async openApi() {
    const { openApi } = await import('../api/openapi.ts');
    const { exampleRecords } = await import('../sandbox/seed/examples.ts');
    return openApi({ version, examples: exampleRecords() });
  },
  async check(name, value) {
    const { schemaMismatches } = await import('../api/schemaMismatch.ts');
    const { schemas } = await import('../api/schemas.ts');
    return schemaMismatches(schemas[name](), value);
  },
};
