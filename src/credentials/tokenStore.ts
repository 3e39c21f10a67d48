/** A token is valid for one account at one origin, so it is stored under both. */
export interface TokenKey {
  email: string;
  origin: string;
}

/** Stores tokens between runs: the token file, or the keychain. */
export interface TokenStore {
  read(key: TokenKey): Promise<string | undefined>;
  write(key: TokenKey, token: string): Promise<void>;
  remove(key: TokenKey): Promise<void>;
}

/** The name of a token's entry in every store. */
export const entryName = ({ email, origin }: TokenKey) => `${email} ${origin}`;

/** The service name of mar's keychain entries; each entry's user name is its `entryName`. */
export const serviceName = 'mar';
