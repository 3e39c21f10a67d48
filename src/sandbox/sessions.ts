import type { EndpointId } from '../api/endpoints.ts';
import type { JsonObject } from '../json/value.ts';
import { type Accounts, tokenPrefix } from './accounts.ts';
import { type Answer, recordAnswer } from './answer.ts';
import type { Call, Operation } from './call.ts';
import { checkUnchanged, idOfCall, readStored, withId } from './operations.ts';
import { badRequest, Refusal } from './refusal.ts';
import { hashPassword, isShownPassword, shownPassword } from './secrets.ts';
import type { Store } from './store.ts';

/** The endpoints that deal with accounts; all others are told from the registry alone. */
export function sessionOperations(
  store: Store,
  accounts: Accounts,
): Partial<Record<EndpointId, Operation>> {
  return {
    sessionCreate: ({ caller }) => {
      const token = accounts.issueToken(caller.userId);
      return plainAnswer({ token, email: caller.email });
    },
    sessionDelete: ({ caller }) => {
      if (caller.token !== undefined) accounts.revokeToken(caller.token);
      return plainAnswer({ revoked: true, email: caller.email });
    },
    userPut: (call) => writeUser(call, store, accounts),
  };
}

/** The record never holds the password: it is hashed into the account, and a stand-in is shown. */
async function writeUser(call: Call, store: Store, accounts: Accounts): Promise<Answer> {
  const id = idOfCall(call);
  const { body } = call;
  readStored(store, 'User', id);
  if ((body.get('id') ?? id) !== id) throw badRequest('id must be the same as _id', 'id');
  const passwordHash = await hashNewPassword(id, body);
  return store.transaction(() => {
    checkUnchanged(readStored(store, 'User', id), call);
    const email = body.get('emailNormal');
    if (typeof email === 'string') renameAccount(id, email, accounts);
    if (passwordHash !== undefined) accounts.setPassword(id, passwordHash);
    const record = withId(body, id).set('password', shownPassword(id));
    return recordAnswer(store.replace('User', id, record));
  });
}

/** Nothing if the password stays: it was left out, or came back as it had been shown. */
async function hashNewPassword(id: string, body: JsonObject): Promise<string | undefined> {
  const password = body.get('password');
  if (typeof password !== 'string' || password === shownPassword(id)) return undefined;
  if (password === '' || isShownPassword(password) || password.startsWith(tokenPrefix)) {
    throw badRequest(
      `password must not be empty, begin with ${tokenPrefix}, or be another user's stand-in`,
      'password',
    );
  }
  return hashPassword(password);
}

function renameAccount(id: string, email: string, accounts: Accounts): void {
  if (email.includes(':') || email.trim() === '') {
    throw badRequest('emailNormal must not be empty or hold a colon', 'emailNormal');
  }
  const owner = accounts.ownerOf(email);
  if (owner !== undefined && owner !== id) {
    throw new Refusal(409, 'conflict', `${email} belongs to another user`, {
      field: 'emailNormal',
    });
  }
  accounts.rename(id, email);
}

const plainAnswer = (body: object): Answer => ({
  status: 200,
  headers: {},
  body: JSON.stringify(body),
});
