import type { jsonSchemaValidator } from '@modelcontextprotocol/server';
import { Ajv } from '@modelcontextprotocol/server/validators/ajv';
import { closest, describeUnknown } from '../../core/values/nearest.ts';

/** A check by a schema that failed, with what it found and what it wants. */
interface Failure {
  keyword: string;
  instancePath: string;
  params: Record<string, string>;
  data?: unknown;
  parentSchema?: { enum?: string[]; type?: string };
}

interface ToolSchema {
  properties?: Readonly<Record<string, { description?: string }>>;
}

/** Checks the fields of calls. Errors name the field, what it takes and the name that was probably meant. */
export const fieldsChecker: jsonSchemaValidator = {
  getValidator<Fields>(schema: ToolSchema) {
    const check = new Ajv({ strict: false, allErrors: true, verbose: true }).compile<Fields>(
      schema,
    );
    return (data) => {
      if (check(data)) return { valid: true, data, errorMessage: undefined };
      const problems = new Set((check.errors as Failure[]).map((one) => problemOf(one, schema)));
      const errorMessage = [...problems].filter(Boolean).join('; ');
      return { valid: false, data: undefined, errorMessage };
    };
  },
};

function problemOf(
  { keyword, instancePath, params, data, parentSchema = {} }: Failure,
  { properties = {} }: ToolSchema,
): string {
  const field = instancePath.slice(1).replaceAll('/', '.');
  const { enum: allowed = [], type } = parentSchema;
  if (keyword === 'additionalProperties') {
    const names = Object.keys(properties);
    const path = params.additionalProperty ?? '';
    const meant = closest(path, names);
    const known = meant === undefined ? `; known fields: ${names.join(', ')}` : '';
    return describeUnknown('field', { path, meant }) + known;
  }
  if (keyword === 'required') return `${params.missingProperty} is missing`;
  // They repeat what is wrong below them.
  if (keyword === 'anyOf' || keyword === 'propertyNames') return '';
  const given = `${field}: ${JSON.stringify(data)}`;
  if (keyword === 'type') return `${given} is no ${type}`;
  const { description } = properties[field.split('.')[0] ?? ''] ?? {};
  if (keyword !== 'enum') return `${given} cannot be used here: ${description}`;
  const meant = closest(String(data), allowed);
  const suggestion = meant === undefined ? '' : ` (did you mean "${meant}"?)`;
  return `${given} is none of ${allowed.join(', ')}${suggestion}`;
}
