/** What mar says about logins, profiles, tokens, the keychain and its configuration. */
export const accountWords = {
  // Logging in
  baseUrl: 'Base URL of the service, such as https://media.example/api',
  loggedIn: 'Logged in',
  tryAgain: 'Try again.',

  // Profiles
  defaultIsNow: 'The default profile is now',
  noProfileLoggedIn: 'No profile is logged in',
  forgotAll: 'Forgot the used ids and the list of mar today',
  othersStay: 'Other machines stay logged in',
  notLoggedIn: 'you are not logged in',
  revokedNowhere: 'the service still accepts it',

  // Tokens
  tokenInPlainText: (file: string) => `plain text in ${file}`,
  tokenGone: 'is no longer in',
  renewTokenCommand: 'Put a new token where this command reads it',
  noToken: 'contains no token',
  severalTokens: 'contains more than one token',
  tokenWithPrefix: 'starts with "token-"',

  // The base URL
  notTheService: 'does not respond like the service',

  // The keychain
  keychainLocked: 'the keychain is locked',
  keychainStaysLocked:
    'the keychain is locked: the prompt to unlock it was dismissed or could not be shown',
  keychainSilent: 'the keychain does not respond',
  keychainNotOnBus: 'no keychain found: no program on the session bus provides one',
  busRefuses: (address: string) =>
    `cannot reach the keychain: the session bus at ${address} refused this user`,
  busSilent: (address: string) =>
    `cannot reach the keychain: the session bus at ${address} does not respond`,
  severalEntries: (username: string) =>
    `the keychain has more than one entry for service "mar", username "${username}"`,
  noDefaultKeyring: 'the keychain has no default keyring',
  keychainUnusable: 'cannot use the keychain: ',
  keychainError: (error: string) => `the keychain reported an error: ${error}`,
  keychainTooSlow: (work: string) => `the keychain did not ${work} the token in time`,
  keychainPretends: (work: string) => `reported success, but did not ${work} the token`,
  keychainFailed: (work: string) => `the keychain could not ${work} the token: `,
  keychainProcessEnded: (how: string) => `its process ended without a response (${how})`,
  keychainTalksNonsense: 'its process sent an invalid response',
};
