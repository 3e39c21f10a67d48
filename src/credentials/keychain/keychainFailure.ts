import { MarError } from '../../errors.ts';
import { commandLine } from '../../values/commandLine.ts';
import { serviceName } from '../tokenStore.ts';

export type KeychainState =
  | 'absent'
  | 'refused'
  /** The bus accepts the connection, but does not respond. */
  | 'silent-bus'
  /** The bus responds, but the keychain does not. */
  | 'silent'
  /** It closed the connection, or sent something that is not D-Bus. */
  | 'broken'
  | 'error'
  | 'locked'
  | 'dismissed'
  | 'several'
  | 'no-keyring'
  | 'too-late'
  | 'library'
  | 'not-kept'
  | 'not-removed';

export class KeychainFailure extends Error {
  readonly state: KeychainState;
  /** For example `org.freedesktop.DBus.Error.ServiceUnknown`. */
  readonly errorName: string | undefined;

  constructor(state: KeychainState, message = '', errorName?: string) {
    super(message);
    this.name = 'KeychainFailure';
    this.state = state;
    this.errorName = errorName;
  }
}

type Words = readonly [message: string, remedy: string];

/** Alternatives that work in every state. */
const alternatives = [
  'or keep the token in a file that only you can read: mar login --insecure-storage',
  'or keep it yourself: set MAR_TOKEN, MAR_EMAIL and MAR_BASE_URL',
];

const start = 'start a keychain (gnome-keyring, KWallet or KeePassXC) and try again';
const restart = 'restart it (logging out of the desktop and in again does) and try again';
const unlock = 'unlock it, then run the command again';

/** The message and remedy for each state. The detail is the failure's message: an address, a name, a reason. */
const wordsOfStates: Record<KeychainState, (detail: string) => Words> = {
  absent: (reason) => [`there is no keychain here: ${reason}`, start],
  refused: (address) => [
    `the session bus at ${address} turns this user away, so its keychain cannot be reached`,
    'run mar as the user whose desktop session it is',
  ],
  'silent-bus': (address) => [
    `the session bus at ${address} accepts connections and never answers, so its keychain cannot be reached`,
    restart,
  ],
  silent: () => ['the keychain is there, but does not answer', restart],
  broken: (reason) => [`the keychain cannot be used: ${reason}`, restart],
  error: (reason) => [`the keychain failed with ${reason}`, restart],
  locked: () => ['the keychain is locked, and was not unlocked', unlock],
  dismissed: () => [
    'the keychain is locked, and the prompt to unlock it was dismissed or could not be shown',
    unlock,
  ],
  several: (username) => [
    `more than one entry in the keychain matches service "${serviceName}", username "${username}"`,
    `remove all but one in Passwords and Keys (seahorse); or remove all of them and log in again: ${commandLine`secret-tool clear service ${serviceName} username ${username}`}`,
  ],
  'no-keyring': () => [
    'the keychain has no default keyring to keep a token in',
    'make one, for example in Passwords and Keys (seahorse), and try again',
  ],
  'too-late': (operation) => [
    `the keychain did not ${operation} the token in time`,
    'if it waits for you (to be unlocked, to allow access), answer it, then run the command again',
  ],
  library: (reason) => [
    `the keychain could not ${reason}`,
    'see that the keychain is there and unlocked, then run the command again',
  ],
  'not-kept': () => ['the keychain said that it stored the token, and does not have it', start],
  'not-removed': () => ['the keychain said that it removed the token, and still has it', start],
};

/** Converts a keychain failure to a `MarError`; returns other errors unchanged. */
export function toMarError(error: unknown): unknown {
  if (!(error instanceof KeychainFailure)) return error;
  const { state, errorName, message } = error;
  if (state === 'error' && errorName) return namedError(errorName, error);
  return unavailable(wordsOfStates[state](message), error);
}

function namedError(name: string, error: KeychainFailure): MarError {
  const standard = name.replace(/^org\.freedesktop\.DBus\.Error\./, '');
  if (/^(ServiceUnknown|NameHasNoOwner|Spawn\..*)$/.test(standard)) {
    return unavailable(wordsOfStates.absent('nothing on the session bus provides one'), error);
  }
  if (/^(NoReply|Timeout|TimedOut)$/.test(standard))
    return unavailable(wordsOfStates.silent(''), error);
  if (name === 'org.freedesktop.Secret.Error.IsLocked')
    return unavailable(wordsOfStates.locked(''), error);
  const reason = error.message ? `${name}: ${error.message}` : name;
  return unavailable(wordsOfStates.error(reason), error);
}

function unavailable([message, remedy]: Words, cause: KeychainFailure): MarError {
  return new MarError('credential-store', message, {
    hint: [remedy, ...alternatives].join('\n'),
    cause,
  });
}
