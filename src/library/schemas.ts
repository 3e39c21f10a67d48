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
    const { misfits } = await import('../api/misfit.ts');
    const { schemas } = await import('../api/schemas.ts');
    return misfits(schemas[name](), value);
  },
};
