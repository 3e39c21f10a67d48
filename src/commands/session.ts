import { endpoints } from '../api/endpoints.ts';
import { type Client, tokenSecret } from '../client/client.ts';
import type { Context } from '../context.ts';
import { MarError } from '../errors.ts';

interface Account {
  baseUrl: URL;
  email: string;
}

/** Exchanges a password for a token. The service's response decides the account's e-mail. */
export async function openSession(context: Context, account: Account, password: string) {
  const { baseUrl, email } = account;
  const client = context.clientWith({ email, secret: password, origin: baseUrl.origin }, baseUrl);
  try {
    const { value } = await client.call(endpoints.sessionCreate);
    const { token, email: own } = value ?? {};
    if (isNonEmpty(token) && isNonEmpty(own)) return { token, email: own };
  } catch (error) {
    if (!(error instanceof MarError)) throw error;
    if (isForeign(error)) throw foreignServiceError(baseUrl, error);
    if (error.details.status !== 401) throw error;
    const hint = 'Check the e-mail address and the password.';
    throw new MarError(error.kind, error.message, { ...error.details, hint, cause: error });
  }
  throw foreignServiceError(baseUrl);
}

export async function tryNewToken(context: Context, account: Account, token: string) {
  const { baseUrl, email } = account;
  const credentials = { email, secret: tokenSecret(token), origin: baseUrl.origin };
  const loginHint = 'Check the e-mail address and the token.';
  await tryClient(context.clientWith(credentials, baseUrl, { loginHint }));
  return { email, token };
}

/** Sends the smallest authenticated request, which fails if the token does not work. */
export async function tryClient(client: Client): Promise<void> {
  await client.page(endpoints.userList, { range: { from: 0, to: 0 } });
}

const isNonEmpty = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The response came from something else than the service. */
function isForeign({ kind, details: { status = 0 } }: MarError): boolean {
  return kind === 'not-found' || (kind === 'service' && status >= 200 && status < 300);
}

function foreignServiceError(baseUrl: URL, cause?: MarError): MarError {
  return new MarError('service', `${baseUrl.href} does not look like the service`, {
    ...cause?.details,
    hint: 'Check the base URL. It ends in /api, for example: https://media.example/api',
    cause,
  });
}
