/** A language by its code, in two letters or three: `jpn`, `ja` and `ja-JP` are one language. */
export function localeOf(code: string | undefined): Intl.Locale | undefined {
  if (code === undefined) return undefined;
  try {
    return new Intl.Locale(code);
  } catch {
    return undefined;
  }
}
