import type { Endpoint, RecordName } from '../api/endpoints.ts';
import type { Records } from './records.ts';

/*
 * What users of the library see, in plain types: none of them needs a package of its own.
 */

/** How to reach the service, and as whom. */
export type ClientOptions = CommonOptions & (TokenOptions | PasswordOptions);

export interface TokenOptions {
  token: string;
  password?: undefined;
}

export interface PasswordOptions {
  /** Is traded for a token with the first call. The token lives until `sessionDelete`. */
  password: string;
  token?: undefined;
}

export interface CommonOptions {
  /** `https://media.example/api`. The credentials go to no other place. */
  baseUrl: string | URL;
  email: string;
  /** For a whole request, answer included; in milliseconds (30,000). */
  timeout?: number;
  /** How many times a failed GET is sent again (2). Nothing else ever is. */
  retries?: number;
  /** The largest answer to take, in bytes (256 MiB). */
  maxBodyBytes?: number;
  /** A file of certificates to trust as well. */
  caCert?: string;
  /** Allows plain http to other machines than this one. */
  allowHttp?: boolean;
  /** Where `HTTPS_PROXY` and its kin are looked up (`process.env`). */
  env?: Readonly<Record<string, string | undefined>>;
  /** Ends all that is under way; its reason is what the calls fail with. */
  signal?: AbortSignal;
  /** How the program calls itself in `User-Agent`. */
  userAgent?: string;
  /** Told of an answer's field that is not of its documented type; may throw to refuse it. */
  onMisfit?: (message: string) => void;
}

/** A record, and its text exactly as the service sent it: unknown fields, order, big numbers. */
export interface ServiceRecord<Value> {
  value: Value;
  text: string;
}

/** Some records of a list and, where the service says so, how many the whole list has. */
export interface Page<Value> {
  records: ServiceRecord<Value>[];
  total?: number;
}

/** An endpoint that answers one record. */
export type RecordEndpoint = Endpoint & { readonly range?: undefined };
/** An endpoint that answers a list. */
export type ListEndpoint = Endpoint & { readonly range: true };

/** What an endpoint answers; of a list, one record. */
export type ResponseOf<E extends Endpoint> = Records[E['response']];

/** What an endpoint takes: the id in its path, its body. */
export type CallInput<E extends Endpoint> = (E['path'] extends `${string}{id}`
  ? { id: string }
  : { id?: undefined }) &
  (E extends { readonly body: infer Name extends RecordName }
    ? {
        /** The record, or its JSON text, of which every digit is sent as it is. */
        body: Records[Name] | string;
      }
    : { body?: undefined });

/** How much of a list, and in which pieces. */
export interface ListInput<E extends Endpoint> {
  /** The first record wanted, counted from 0. */
  from?: number;
  /** The last one; without it, the whole list. */
  to?: number;
  /** Records a request (100). */
  pageSize?: number;
  query?: E extends { readonly query: readonly (infer Name extends string)[] }
    ? { [Key in Name]?: string }
    : undefined;
}

export interface Client {
  /** Calls an endpoint that answers one record. */
  call<E extends RecordEndpoint>(
    endpoint: E,
    ...input: object extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]
  ): Promise<ServiceRecord<ResponseOf<E>>>;
  /** A list, page after page; nothing is asked for until it is wanted. */
  pages<E extends ListEndpoint>(
    endpoint: E,
    input?: ListInput<E>,
  ): AsyncGenerator<Page<ResponseOf<E>>, void, void>;
  /** Lets go of the kept connections, so that the program can end. */
  close(): void;
}

/** A field whose value is not of its documented type. */
export interface SchemaMismatch {
  /** `due.date`, `previews[0].label`; empty for the value itself. */
  path: string;
  /** `expected an integer, found a string`. */
  problem: string;
}

/** The shapes of records, for validators and editors. */
export interface Schemas {
  /** JSON Schema 2020-12. */
  json(name: RecordName): Promise<Record<string, unknown>>;
  /** The whole service as OpenAPI 3.1. */
  openApi(): Promise<Record<string, unknown>>;
  /** The known fields that are not of their type; unknown fields are never among them. */
  check(name: RecordName, value: unknown): Promise<SchemaMismatch[]>;
}
