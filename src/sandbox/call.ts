import type { Endpoint } from '../api/endpoints.ts';
import type { JsonObject } from '../json/value.ts';
import type { Answer } from './answer.ts';
import type { Range } from './ranges.ts';

/** Who asks. Whoever logs in by password has no token yet. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly token: string | undefined;
}

/** A request that was read, checked against its endpoint and authenticated. */
export interface Call {
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  /** The id in the path, where the endpoint has one. */
  readonly id: string | undefined;
  readonly query: ReadonlyMap<string, string>;
  readonly range: Range;
  /** Empty where the endpoint takes none. */
  readonly body: JsonObject;
  readonly ifMatch: string | undefined;
}

export type Operation = (call: Call) => Answer | Promise<Answer>;
