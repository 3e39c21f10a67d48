/** The states that a keychain can be in when it does not do what was asked; `states.ts` has the words. */
export type KeychainState =
  /** No address, or nobody listens there. */
  | 'absent'
  /** It will not talk to this user. */
  | 'refused'
  /** The bus takes the connection and says nothing. */
  | 'silent-bus'
  /** The bus answers, the keychain behind it does not. */
  | 'silent'
  /** It hung up, or sent what is not D-Bus. */
  | 'broken'
  /** It answered with an error, which has a name. */
  | 'error'
  | 'locked'
  /** Locked, and the user would not or could not unlock it. */
  | 'dismissed'
  /** More than one entry where there should be one. */
  | 'several'
  /** There is nowhere to put a new entry. */
  | 'no-keyring'
  /** The library around it was killed for taking too long. */
  | 'too-late'
  /** The library around it failed, and says why in words alone. */
  | 'library'
  /** It said that it was done, and it is not. */
  | 'not-kept'
  | 'not-removed';

/** Made where the state is found, which knows no words: those are only loaded for who needs them. */
export class KeychainFailure extends Error {
  readonly state: KeychainState;
  /** Like `org.freedesktop.DBus.Error.ServiceUnknown`; errors are told apart by it alone. */
  readonly errorName: string | undefined;

  constructor(state: KeychainState, message = '', errorName?: string) {
    super(message);
    this.name = 'KeychainFailure';
    this.state = state;
    this.errorName = errorName;
  }
}
