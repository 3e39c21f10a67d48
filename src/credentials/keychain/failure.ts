/** What can go wrong between us and a session bus; `states.ts` has the words for it. */
export type BusFailureKind =
  /** No address, or nobody listens there. */
  | 'absent'
  /** It will not talk to this user. */
  | 'refused'
  /** The bus takes the connection and says nothing. */
  | 'silent-bus'
  /** The bus answers, the service behind it does not. */
  | 'silent-service'
  /** It hung up, or sent what is not D-Bus. */
  | 'broken'
  /** It answered with an error, which has a name. */
  | 'error';

export class BusFailure extends Error {
  readonly kind: BusFailureKind;
  /** Like `org.freedesktop.DBus.Error.ServiceUnknown`; errors are told apart by it alone. */
  readonly errorName: string | undefined;

  constructor(kind: BusFailureKind, message: string, errorName?: string) {
    super(message);
    this.name = 'BusFailure';
    this.kind = kind;
    this.errorName = errorName;
  }
}
