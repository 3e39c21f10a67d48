import { parsePath } from '../json/path.ts';
import type { SchemaName } from './endpoints.ts';

/**
 * A function that loads a schema and returns a test for its fields that hold a time. The schemas are
 * loaded only for `--columns` with a field that the view does not list.
 */
export const timeFields = (name: SchemaName) => async (): Promise<(path: string) => boolean> => {
  const [{ schemas, isTime }, { fieldAt }] = await Promise.all([
    import('./schemas.ts'),
    import('./schemaFields.ts'),
  ]);
  const schema = schemas[name]();
  return (path) => fieldAt(schema, parsePath(path)).some(isTime);
};
