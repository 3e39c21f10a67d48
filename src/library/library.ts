export { type Endpoint, type EndpointId, endpoints, type RecordName } from '../api/endpoints.ts';
export { type ErrorDetails, type ErrorKind, MarError } from '../errors.ts';
export { createClient } from './createClient.ts';
export type * from './records.ts';
export { schemas } from './schemas.ts';
export type * from './types.ts';
