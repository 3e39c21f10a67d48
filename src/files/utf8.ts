/** Created on first use, because creating a decoder takes longer than using it. */
let strictDecoder: InstanceType<typeof TextDecoder> | undefined;

/** Decodes UTF-8 without a byte-order mark. Throws on invalid bytes instead of replacing them. */
export function decodeUtf8(bytes: Uint8Array): string {
  strictDecoder ??= new TextDecoder('utf-8', { fatal: true });
  return strictDecoder.decode(bytes);
}
