import * as z from 'zod/mini';
import { lazily } from './fields.ts';

/** What logging in yields. Unlike any other answer it is useless without its fields. */
export const session = lazily(() => z.looseObject({ token: z.string(), email: z.string() }));

/** The payload of signing out is not documented: anything goes. */
export const signOut = lazily(() => z.unknown());
