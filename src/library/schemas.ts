import { version } from '../version.ts';
import type { Schemas } from './types.ts';

/** Each part is loaded when it is first asked for. */
export const schemas: Schemas = {
  async json(name) {
    const { recordSchema } = await import('../api/jsonSchema.ts');
    return recordSchema(name);
  },
  async openApi() {
    const { openApi } = await import('../api/openapi.ts');
    const { exampleRecords } = await import('../sandbox/examples.ts');
    return openApi({ version, examples: exampleRecords() });
  },
  async check(name, value) {
    const { schemaMismatches } = await import('../api/schemaMismatch.ts');
    const { schemas } = await import('../api/schemas.ts');
    return schemaMismatches(schemas[name](), value);
  },
};
