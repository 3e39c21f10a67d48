import { namesSecret } from '../json/hideFields.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for programs that mar starts: without its tokens, and where they are. */
export const withoutTokens = (env: Environment) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !(/^MAR_/i.test(name) && namesSecret(name))),
  );
