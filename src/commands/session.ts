import { endpoints } from '../api/endpoints.ts';
import { type Client, tokenSecret } from '../client/client.ts';
import type { Context } from '../context.ts';
import { MarError } from '../errors.ts';

/*
 * The three things that can be done with a session: begin one, try its token, end it.
 */

interface Account {
  baseUrl: URL;
  email: string;
}

export interface Session {
  email: string;
  token: string;
}

/** Trades a password for a token. The account is the one that the service names. */
export async function openSession(
  context: Context,
  { baseUrl, email }: Account,
  password: string,
): Promise<Session> {
  const client = context.clientWith({ email, secret: password, origin: baseUrl.origin }, baseUrl);
  try {
    const { value } = await client.call(endpoints.sessionCreate);
    const { token, email: account } = value ?? {};
    if (isText(token) && isText(account)) return { token, email: account };
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    if (isStrange(error)) throw strangeService(baseUrl, error);
    if (error.details.status !== 401) throw error;
    const hint = 'check the e-mail and the password';
    throw new MarError(error.kind, error.message, { ...error.details, hint, cause: error });
  }
  throw strangeService(baseUrl);
}

/** Checks a token that a person gives for the service at this address. */
export async function tryNewToken(
  context: Context,
  { baseUrl, email }: Account,
  token: string,
): Promise<Session> {
  const credentials = { email, secret: tokenSecret(token), origin: baseUrl.origin };
  const loginHint = 'check the e-mail and the token';
  await tryClient(context.clientWith(credentials, baseUrl, { loginHint }));
  return { email, token };
}

/** Makes the smallest authenticated request, to see whether the token works. */
export async function tryClient(client: Client): Promise<void> {
  await client.page(endpoints.userList, { range: { from: 0, to: 0 } });
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Something answered, but nothing that the service would say. */
function isStrange({ kind, details: { status = 0 } }: MarError): boolean {
  return kind === 'not-found' || (kind === 'service' && status >= 200 && status < 300);
}

function strangeService(baseUrl: URL, cause?: MarError): MarError {
  return new MarError('service', `${baseUrl.href} does not look like the service`, {
    ...cause?.details,
    hint: `check the base URL: it is the service's address with /api at its end, for example https://media.example/api`,
    cause,
  });
}
