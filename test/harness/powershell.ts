/**
 * The words of a command line as PowerShell passes them to a program or to npm's `mar.ps1`, by its
 * documented rules (about_Quoting_Rules, about_Parsing). Throws where 5.1 and 7 differ, or where a
 * character that is not quoted has a meaning of its own.
 */
export function powershellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let rest = line;
  const take = (form: RegExp) => {
    const [found] = form.exec(rest) ?? [];
    if (found !== undefined) rest = rest.slice(found.length);
    return found;
  };
  const end = () => {
    if (word?.includes('"')) throw new Error(`5.1 drops the double quotes: ${line}`);
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  while (rest !== '') {
    if (take(/^\s+/)) {
      end();
      if (rest.startsWith('#')) return words;
      continue;
    }
    const literal = take(/^'(?:[^']|'')*'/);
    const expandable = literal === undefined ? take(/^"[^"$`]*"/) : undefined;
    const plain = literal ?? expandable ?? take(/^[\w./:=+*?\\~^%[\]-]+/);
    if (plain === undefined) throw new Error(`quote this for PowerShell: ${rest} in ${line}`);
    const text = literal?.slice(1, -1).replaceAll("''", "'") ?? expandable?.slice(1, -1) ?? plain;
    word = (word ?? '') + text;
  }
  end();
  return words;
}
