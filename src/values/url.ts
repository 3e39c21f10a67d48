/** A password may hold an unescaped `@` or `/`, so everything up to the last `@` is dropped. */
export function withoutCredentials(address: string): string {
  const [, , place] = /^(.*(@|%40))(.*?)$/is.exec(address)?.slice(1) ?? [];
  if (place === undefined) return address;
  const [, scheme] = /^\s*(https?|ftp|socks\w*):/i.exec(address) ?? [];
  return `${scheme ? `${scheme}://` : ''}[redacted]@${place}`;
}

/** Drops the query of each URL, since it may hold a key, and with it the rest of the word. */
export function withoutSignature(text: string): string {
  if (!text.includes('?')) return text;
  return text.replace(/[^\s"<>]+/g, (word) => {
    // JSON may have escaped each slash with a backslash.
    const host = word.search(/(?:\\?\/){2}/);
    const query = host < 0 ? -1 : word.indexOf('?', host + 3);
    return query < 0 || query === word.length - 1 ? word : `${word.slice(0, query)}?…`;
  });
}
