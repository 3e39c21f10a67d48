import { fileURLToPath } from 'node:url';
import { readServiceFile } from '../../src/core/config/serviceSettings.ts';

/** A service that does everything otherwise that the API's documentation leaves open. */
const file = fileURLToPath(new URL('otherService.json', import.meta.url));

export const otherService = { file, settings: readServiceFile(file) };
