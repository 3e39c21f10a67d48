import { MarError } from '../../errors.ts';
import { commandLine } from '../../values/commandLine.ts';
import { serviceName } from '../identity.ts';

type Words = readonly [message: string, remedy: string];

const alternatives = [
  'or keep the token in a file that only you can read: mar login --insecure-storage',
  'or keep it yourself: set MAR_TOKEN, MAR_EMAIL and MAR_BASE_URL',
];

const start = 'start a keychain (gnome-keyring, KWallet or KeePassXC) and try again';
const restart = 'restart it (logging out of the desktop and in again does) and try again';
const unlock = 'unlock it, then run the command again';

/** The detail is the failure's message: an address, a name, a reason. */
const wordsOfStates = {
  absent: (reason) => [`there is no keychain here: ${reason}`, start],
  refused: (address) => [
    `the session bus at ${address} turns this user away, so its keychain cannot be reached`,
    'run mar as the user whose desktop session it is',
  ],
  /** The bus accepts the connection, but does not respond. */
  'silent-bus': (address) => [
    `the session bus at ${address} accepts connections and never answers, so its keychain cannot be reached`,
    restart,
  ],
  /** The bus responds, but the keychain does not. */
  silent: () => ['the keychain is there, but does not answer', restart],
  /** It closed the connection, or sent something that is not D-Bus. */
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
} satisfies Record<string, (detail: string) => Words>;

export type KeychainState = keyof typeof wordsOfStates;

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

/** Returns other errors unchanged. */
export function toMarError(error: unknown): unknown {
  if (!(error instanceof KeychainFailure)) return error;
  const [message, remedy] = wordsOf(error);
  const hint = [remedy, ...alternatives].join('\n');
  return new MarError('credential-store', message, { hint, cause: error });
}

function wordsOf({ state, errorName, message }: KeychainFailure): Words {
  if (state !== 'error' || !errorName) return wordsOfStates[state](message);
  const standard = errorName.replace(/^org\.freedesktop\.DBus\.Error\./, '');
  if (/^(ServiceUnknown|NameHasNoOwner|Spawn\..*)$/.test(standard)) {
    return wordsOfStates.absent('nothing on the session bus provides one');
  }
  if (/^(NoReply|Timeout|TimedOut)$/.test(standard)) return wordsOfStates.silent();
  if (errorName === 'org.freedesktop.Secret.Error.IsLocked') return wordsOfStates.locked();
  return wordsOfStates.error(message ? `${errorName}: ${message}` : errorName);
}
