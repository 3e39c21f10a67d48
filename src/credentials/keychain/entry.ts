/** What every entry of ours is filed under in a keychain, besides its user name. */
export const serviceName = 'mar';
