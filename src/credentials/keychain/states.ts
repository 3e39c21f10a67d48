import { MarError } from '../../errors.ts';
import { BusFailure } from './failure.ts';

/** What every state of the keychain leaves open, after what would mend it. */
const waysOut = [
  'or keep the token in a file that only you can read: mar login --insecure-storage',
  'or keep it yourself: set MAR_TOKEN, MAR_EMAIL and MAR_BASE_URL',
];

function unavailable(message: string, remedy: string, cause?: unknown): MarError {
  return new MarError('credential-store', message, {
    hint: [remedy, ...waysOut].join('\n'),
    cause,
  });
}

const startOne = 'start a keychain (gnome-keyring, KWallet or KeePassXC) and try again';
const restart = 'restart it (logging out of the desktop and in again does) and try again';

export const noDefaultKeyring = () =>
  unavailable(
    'the keychain has no default keyring to keep a token in',
    'make one, for example in Passwords and Keys (seahorse), and try again',
  );

export const locked = () =>
  unavailable('the keychain is locked', 'unlock it, then run the command again');

export const promptDismissed = () =>
  unavailable(
    'the keychain is locked, and the prompt to unlock it was dismissed or could not be shown',
    'unlock it, then run the command again',
  );

export function severalMatch(service: string, username: string, count: number): MarError {
  const quoted = `'${username.replaceAll("'", "'\\''")}'`;
  return unavailable(
    `the keychain holds ${count} entries for service "${service}", username "${username}", where one is expected`,
    `remove the others in Passwords and Keys (seahorse), or all of them and log in again: secret-tool clear service ${service} username ${quoted}`,
  );
}

/** What was to be done when the keychain failed. */
export type Attempt = 'read' | 'store' | 'remove';

export const notVerified = (attempt: Attempt) =>
  unavailable(
    attempt === 'store'
      ? 'the keychain said that it stored the token, but does not give it back'
      : 'the keychain said that it removed the token, but still has it',
    startOne,
  );

export const tookTooLong = (attempt: Attempt) =>
  unavailable(
    `the keychain did not ${attempt} the token in time`,
    'if it waits for you (to unlock it, to allow access), answer it, then run the command again',
  );

export const libraryFailed = (attempt: Attempt, reason: string, cause?: unknown) =>
  unavailable(
    `the keychain could not ${attempt} the token: ${reason}`,
    'see that the keychain is there and unlocked, then run the command again',
    cause,
  );

/** The words for what went wrong on the bus. Other errors stay as they are. */
export function explain(error: unknown): unknown {
  if (!(error instanceof BusFailure)) return error;
  const { kind, message, errorName } = error;
  switch (kind) {
    case 'absent':
      return unavailable(`there is no keychain here: ${message}`, startOne, error);
    case 'refused':
      return unavailable(
        `the session bus at ${message} refuses this user, and the keychain is on it`,
        'run mar as the user whose desktop session it is',
        error,
      );
    case 'silent-bus':
      return unavailable(
        `the session bus at ${message} accepts connections and does not answer, and the keychain is on it`,
        restart,
        error,
      );
    case 'silent-service':
      return unavailable('the keychain is there, but does not answer', restart, error);
    case 'broken':
      return unavailable(`the keychain cannot be used: ${message}`, restart, error);
    case 'error':
      return namedError(errorName ?? '', error);
  }
}

function namedError(name: string, error: BusFailure): MarError {
  const standard = name.replace(/^org\.freedesktop\.DBus\.Error\./, '');
  if (/^(ServiceUnknown|NameHasNoOwner|Spawn\..*)$/.test(standard)) {
    return unavailable(
      'there is no keychain on the session bus: nothing there provides org.freedesktop.secrets',
      startOne,
      error,
    );
  }
  if (/^(NoReply|Timeout|TimedOut)$/.test(standard)) {
    return unavailable('the keychain is there, but does not answer', restart, error);
  }
  if (name === 'org.freedesktop.Secret.Error.IsLocked') return locked();
  const reason = error.message ? `${name}: ${error.message}` : name;
  return unavailable(`the keychain failed with ${reason}`, restart, error);
}
