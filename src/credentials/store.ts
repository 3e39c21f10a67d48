/** A token is valid for one account at one origin, and is kept under both. */
export interface TokenKey {
  email: string;
  origin: string;
}

/** What a token is filed under, in whatever keeps it. */
export const entryName = ({ email, origin }: TokenKey) => `${email} ${origin}`;

/** A place that keeps tokens between runs. */
export interface TokenStore {
  read(key: TokenKey): Promise<string | undefined>;
  write(key: TokenKey, token: string): Promise<void>;
  remove(key: TokenKey): Promise<void>;
}
