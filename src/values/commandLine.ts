const plainWord = /^[\w./][\w./:@+=-]*$/;

/**
 * Quotes a value so that it is one argument in sh, bash, zsh, fish, PowerShell and cmd.exe.
 * Undefined for a value that cannot be quoted safely in all of them, or would be read as a flag.
 */
export function shellWord(value: string): string | undefined {
  if (plainWord.test(value)) return value;
  // PowerShell takes typographic quotes for quotes; cmd.exe and csh act on some characters inside
  // single quotes; what cannot be seen cannot be pasted.
  const unquotable =
    /^-|["\\%^&|<>!\u2018-\u201e\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
  if (unquotable.test(value)) return undefined;
  if (!value.includes("'")) return `'${value}'`;
  return /[$`]/.test(value) ? undefined : `"${value}"`;
}

/** A template tag for command lines to paste. A value that cannot be quoted becomes `…`. */
export function commandLine(text: TemplateStringsArray, ...values: readonly string[]): string {
  const words = values.map((value) => shellWord(value) ?? '…');
  return String.raw({ raw: text }, ...words);
}
