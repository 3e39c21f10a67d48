/** A token is valid for one account at one origin, so it is stored under both. */
export interface TokenKey {
  email: string;
  origin: string;
}

export interface TokenStore {
  read(key: TokenKey): Promise<string | undefined>;
  write(key: TokenKey, token: string): Promise<void>;
  remove(key: TokenKey): Promise<void>;
}

export const entryName = ({ email, origin }: TokenKey) => `${email} ${origin}`;

/** The service name of mar's keychain entries; each entry's user name is its `entryName`. */
export const serviceName = 'mar';
