export type RefusalCode =
  | 'bad-request'
  | 'bad-json'
  | 'wrong-type'
  | 'bad-range'
  | 'unauthorized'
  | 'forbidden-host'
  | 'not-found'
  | 'method-not-allowed'
  | 'timeout'
  | 'conflict'
  | 'precondition-failed'
  | 'too-large'
  | 'unsupported-media-type'
  | 'expectation-failed'
  | 'headers-too-large'
  | 'storage-full'
  | 'internal';

interface RefusalDetails {
  /** The field, header or query parameter that is to blame. */
  field?: string;
  headers?: Readonly<Record<string, string>>;
}

/** A request that is answered with an error. Its message is for the client to read. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: RefusalCode;
  readonly field: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.field = details.field;
    this.headers = details.headers ?? {};
  }
}

export const badRequest = (message: string, field?: string) =>
  new Refusal(400, 'bad-request', message, { field });

/** One message for every failed login: it does not tell which part was wrong. */
export const unauthorized = (message: string) =>
  new Refusal(401, 'unauthorized', message, {
    headers: { 'WWW-Authenticate': 'Basic realm="mar sandbox", charset="UTF-8"' },
  });
