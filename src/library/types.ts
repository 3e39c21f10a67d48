import type { Endpoint, RecordName } from '../api/endpoints.ts';
import type { Records } from './records.ts';

/*
 * The public types of the library. They are plain, so that users need no other package.
 */

export type ClientOptions = CommonOptions & (TokenOptions | PasswordOptions);

export interface TokenOptions {
  token: string;
  password?: undefined;
}

export interface PasswordOptions {
  /** Exchanged for a token with the first call. The token is valid until `sessionDelete`. */
  password: string;
  token?: undefined;
}

export interface CommonOptions {
  /** `https://media.example/api`. The credentials are sent nowhere else. */
  baseUrl: string | URL;
  email: string;
  /** For a whole request with its response, in milliseconds (default 30,000). */
  timeout?: number;
  /** How often a failed GET is repeated (default 2). Other requests never are. */
  retries?: number;
  /** The largest response, in bytes (default 256 MiB). */
  maxBodyBytes?: number;
  /** A file of additional certificates to trust. */
  caCert?: string;
  /** A file with the certificate that the service requires, and one with its key. */
  clientCert?: string;
  clientKey?: string;
  /** Allows plain http to other machines. */
  allowHttp?: boolean;
  /** For `HTTPS_PROXY` and similar variables (default `process.env`). */
  env?: Readonly<Record<string, string | undefined>>;
  /** Aborts all calls. They reject with its reason, by default an `AbortError`, not a `MarError`. */
  signal?: AbortSignal;
  userAgent?: string;
  /** Called for a response field of the wrong type; may throw to reject the response. */
  onMismatch?: (message: string) => void;
}

/** A record, and its text exactly as the service sent it, with unknown fields, order and big numbers. */
export interface ServiceRecord<Value> {
  value: Value;
  text: string;
}

/** Some records of a list and, if the service reports it, the length of the whole list. */
export interface Page<Value> {
  records: ServiceRecord<Value>[];
  total?: number;
}

/** An endpoint that returns one record. */
export type RecordEndpoint = Endpoint & { readonly range?: undefined };
/** An endpoint that returns a list. */
export type ListEndpoint = Endpoint & { readonly range: true };

/** The record that an endpoint returns; for a list, one of its records. */
export type ResponseOf<E extends Endpoint> = Records[E['response']];

/** The id in the path, and the body. */
export type CallInput<E extends Endpoint> = (E['path'] extends `${string}{id}`
  ? { id: string }
  : { id?: undefined }) &
  (E extends { readonly body: infer Name extends RecordName }
    ? {
        /** The record, or its JSON text, which is sent without changing a digit. */
        body: Records[Name] | string;
      }
    : { body?: undefined });

export interface ListInput<E extends Endpoint> {
  /** The first record, counted from 0. */
  from?: number;
  /** The last record (default: the end of the list). */
  to?: number;
  /** Records per request (default 100). */
  pageSize?: number;
  query?: E extends { readonly query: readonly (infer Name extends string)[] }
    ? { [Key in Name]?: string }
    : undefined;
}

export interface Client {
  /** Rejects with a `MarError`; after an abort, with the reason of the signal. */
  call<E extends RecordEndpoint>(
    endpoint: E,
    ...input: object extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]
  ): Promise<ServiceRecord<ResponseOf<E>>>;
  /** A list, page by page; a page is requested when it is needed. Fails as `call` does. */
  pages<E extends ListEndpoint>(
    endpoint: E,
    input?: ListInput<E>,
  ): AsyncGenerator<Page<ResponseOf<E>>, void, void>;
  /** Closes idle connections, so that the program can exit. */
  close(): void;
}

/** A field whose value is not of its documented type. */
export interface SchemaMismatch {
  /** `due.date`, `previews[0].label`; empty for the value itself. */
  path: string;
  /** `expected an integer, found a string`. */
  problem: string;
}

/** The schemas of records, for validators and editors. */
export interface Schemas {
  /** JSON Schema 2020-12. */
  json(name: RecordName): Promise<Record<string, unknown>>;
  /** The whole service as OpenAPI 3.1. */
  openApi(): Promise<Record<string, unknown>>;
  /** Finds known fields of the wrong type; ignores unknown fields. */
  check(name: RecordName, value: unknown): Promise<SchemaMismatch[]>;
}
