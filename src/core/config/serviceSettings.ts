import { Service, serviceProblem } from '../api/service.ts';
import { usageError } from '../errors.ts';
import { readNamedFile } from '../files/paths.ts';
import { readReason } from '../files/systemReason.ts';
import type { Environment } from '../values/environment.ts';
import type { Profile } from './configFile.ts';

/** The description of the service of a profile: what is set for it, over a file that a studio hands out. */
export function serviceOf(env: Environment, profile?: Profile): Service {
  const file = env.MAR_SERVICE || profile?.serviceFile;
  return new Service({ ...(file && readServiceFile(file)), ...profile?.service });
}

/** Reads a JSON file such as `{"status": {"shipped": "done"}, "order": {"needs": ["asset"]}}`. */
export function readServiceFile(file: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [key, value] of entriesOf(contentOf(file), '')) {
    const problem = serviceProblem(key, value);
    if (problem) throw usageError(`${file}: ${key}: ${problem}, not "${value}"`, { value: file });
    settings[key] = value;
  }
  return settings;
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readNamedFile(file).toString());
  } catch (error) {
    const why =
      error instanceof SyntaxError ? 'is not JSON' : `cannot be read: ${readReason(error)}`;
    const hint = 'It is the file of MAR_SERVICE, or of mar config set service FILE.';
    throw usageError(`${file} ${why}`, hint, { value: file });
  }
}

/** `status.shipped`, `done`. A list is joined with commas. */
function entriesOf(value: unknown, path: string): [string, string][] {
  if (Array.isArray(value)) return [[path, value.join(',')]];
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, one]) =>
    entriesOf(one, path === '' ? key : `${path}.${key}`),
  );
}
