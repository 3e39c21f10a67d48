/** What goes wrong between mar and the service. */
export const networkWords = {
  // A connection that fails.
  refused: 'refused the connection',
  closed: 'closed the connection',
  noTls: 'does not speak TLS',
  retrying: (time: string) => `Retrying in ${time}`,

  // Certificates and their keys.
  untrusted: 'was issued by a CA that is not trusted',
  keyUnusable: ', or MAR_CLIENT_KEY_PASSPHRASE does not open it',

  // A response that cannot be used.
  cutOff: 'was cut off',
  redirected: 'mar does not follow redirects',
  checkBaseUrl: 'Check the base URL',
  unusable: 'sent an unusable response',

  // What to do next, and whether a write was carried out.
  tryAgain: 'Try again',
  nothingSent: 'Nothing was sent.',
  unknown: 'Outcome unknown: ',
  probablyDone: 'was probably carried out',
  checkFirst: 'Check before you send it again.',
};
