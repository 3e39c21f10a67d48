import { type Hint, MarError } from '../../errors.ts';
import { words } from '../../values/commandLine.ts';
import { serviceName } from '../identity.ts';

type Words = readonly [message: string, remedy: string | Hint];

const alternatives = [
  'Or log in with --insecure-storage, which stores the token in a file that only you can read.',
  'Or set MAR_TOKEN, MAR_EMAIL and MAR_BASE_URL.',
];

const start =
  'Start a keychain (gnome-keyring, KWallet or KeePassXC), then run the same command again.';
const restart =
  'Restart it, for example by logging out of the desktop, then run the same command again.';
const unlock = 'Unlock the keychain, then run the same command again.';

/** The detail is the failure's message: an address, a name, a reason. */
const wordsOfStates = {
  absent: (reason) => [`no keychain found: ${reason}`, start],
  refused: (address) => [
    `cannot reach the keychain: the session bus at ${address} refused this user`,
    'Run mar as the user of that desktop session.',
  ],
  /** The bus accepts the connection, but does not respond. */
  'silent-bus': (address) => [
    `cannot reach the keychain: the session bus at ${address} does not respond`,
    restart,
  ],
  /** The bus responds, but the keychain does not. */
  silent: () => ['the keychain does not respond', restart],
  /** It closed the connection, or sent something that is not D-Bus. */
  broken: (reason) => [`cannot use the keychain: ${reason}`, restart],
  error: (reason) => [`the keychain reported an error: ${reason}`, restart],
  locked: () => ['the keychain is locked', unlock],
  dismissed: () => [
    'the keychain is locked: the prompt to unlock it was dismissed or could not be shown',
    unlock,
  ],
  several: (username) => [
    `the keychain has more than one entry for service "${serviceName}", username "${username}"`,
    {
      text: 'Remove all but one in Passwords and Keys (seahorse). Or remove all of them and log in again:',
      command: words`secret-tool clear service ${serviceName} username ${username}`,
    },
  ],
  'no-keyring': () => [
    'the keychain has no default keyring',
    'Create one, for example in Passwords and Keys (seahorse), then run the same command again.',
  ],
  'too-late': (operation) => [
    `the keychain did not ${operation} the token in time`,
    'If the keychain shows a prompt, confirm it, then run the same command again.',
  ],
  library: (reason) => [
    `the keychain could not ${reason}`,
    'Check that the keychain is running and unlocked, then run the same command again.',
  ],
  'not-kept': () => ['the keychain reported success, but did not store the token', start],
  'not-removed': () => ['the keychain reported success, but did not remove the token', start],
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

export function toMarError(error: unknown): unknown {
  if (!(error instanceof KeychainFailure)) return error;
  const [message, remedy] = wordsOf(error);
  const hint = [remedy, ...alternatives];
  return new MarError('credential-store', message, { hint, cause: error });
}

function wordsOf({ state, errorName, message }: KeychainFailure): Words {
  if (state !== 'error' || !errorName) return wordsOfStates[state](message);
  const standard = errorName.replace(/^org\.freedesktop\.DBus\.Error\./, '');
  if (/^(ServiceUnknown|NameHasNoOwner|Spawn\..*)$/.test(standard)) {
    return wordsOfStates.absent('no program on the session bus provides one');
  }
  if (/^(NoReply|Timeout|TimedOut)$/.test(standard)) return wordsOfStates.silent();
  if (errorName === 'org.freedesktop.Secret.Error.IsLocked') return wordsOfStates.locked();
  return wordsOfStates.error(message ? `${errorName}: ${message}` : errorName);
}
