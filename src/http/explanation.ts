import type { PeerCertificate } from 'node:tls';

/** What Node, or our own deadline, says went wrong. */
export interface Failure {
  code?: string;
  message?: string;
  /** Of our own deadline. */
  timeoutMs?: number;
  /** The certificate that was not accepted, where it is known. */
  cert?: PeerCertificate;
}

/** What failed, and what to do about it. */
export interface Explanation {
  reason: string;
  /** None where there is nothing to do but to try again. */
  hint?: string;
  /** It may be gone the next time. */
  isPassing?: boolean;
}
