import type { ErrorKind } from './errors.ts';

interface ExitCode {
  code: number;
  meaning: string;
  /** What a script or its user does next. */
  next: string;
}

/** Scripts depend on these: a published exit code never changes. Help and docs are made from them. */
export const exitCodes: Readonly<Record<ErrorKind, ExitCode>> = {
  service: {
    code: 1,
    meaning:
      'the service failed (5xx) or sent an unusable response (not JSON, cut off, a redirect); a bug',
    next: 'try again later; after a write, first check whether it was done',
  },
  'rate-limited': {
    code: 1,
    meaning: 'the service is busy (429)',
    next: 'wait `retryAfterMs`, then try again',
  },
  filter: { code: 1, meaning: 'the `--jq` filter failed on a record', next: 'fix the filter' },
  'wait-failed': {
    code: 1,
    meaning: '`wr wait` found a status that `--fail-status` names',
    next: 'look at the record: `mar wr get`',
  },
  usage: {
    code: 2,
    meaning: 'invalid command or input; nothing was sent',
    next: 'fix the command or the input',
  },
  refused: {
    code: 3,
    meaning: 'refused by the service (400, 409, 422, other 4xx)',
    next: 'fix the content',
  },
  check: {
    code: 3,
    meaning: 'a check that you requested found mistakes, such as `translation check`',
    next: 'read the findings, and fix them',
  },
  auth: {
    code: 4,
    meaning: 'not logged in, or not allowed (401, 403)',
    next: 'log in again, or check `MAR_TOKEN`',
  },
  'not-found': { code: 5, meaning: 'the record does not exist (404)', next: 'check the id' },
  changed: {
    code: 6,
    meaning: 'the record changed since you read it (also 412); nothing was written',
    next: 'read it again, then decide',
  },
  network: {
    code: 7,
    meaning: 'network: connection refused, reset or timed out; DNS, proxy, TLS',
    next: 'try again later; the message says if the outcome is unknown',
  },
  batch: {
    code: 8,
    meaning: 'a batch ended with rows that failed, are invalid or have an unknown outcome',
    next: 'read the report',
  },
  'wait-timeout': { code: 9, meaning: '`wr wait` ran out of time', next: 'wait longer' },
  'credential-store': {
    code: 10,
    meaning: 'the keychain is locked or unavailable, or the `token-command` failed',
    next: 'unlock it, or set `MAR_TOKEN` or `MAR_TOKEN_FILE`',
  },
  interrupted: {
    code: 130,
    meaning: 'interrupted (Ctrl-C), or you answered no to a question',
    next: '',
  },
  terminated: {
    code: 143,
    meaning: 'terminated: SIGTERM, or SIGHUP (the terminal was closed)',
    next: '',
  },
};

/** The meaning of 0, which no error has. */
export const successMeaning = 'done, or nothing to change';

/** One row for each code, with the meanings of all its kinds. */
export function exitCodeRows(): (readonly [code: string, meaning: string])[] {
  const meanings = new Map([['0', successMeaning]]);
  for (const { code, meaning } of Object.values(exitCodes)) {
    const before = meanings.get(String(code));
    meanings.set(String(code), before === undefined ? meaning : `${before}; ${meaning}`);
  }
  return [...meanings];
}
