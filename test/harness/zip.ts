import { crc32, deflateRawSync } from 'node:zlib';

/** An archive of these files, as other programs write it. `claimed` is in place of their unpacked sizes. */
export function zipOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  claimed?: number,
): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const [bytes, nameBytes] = [Buffer.from(content as string), Buffer.from(name)];
    const data = deflateRawSync(bytes);
    const facts = Buffer.alloc(26);
    // Version 2.0, names in UTF-8, deflated.
    facts.set([20, 0, 0, 8, 8]);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(claimed ?? bytes.length, 18);
    facts.writeUInt16LE(nameBytes.length, 22);
    local.push(Buffer.from('PK\x03\x04'), facts, nameBytes, data);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), facts, entry, nameBytes);
    at += 30 + nameBytes.length + data.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  for (const place of [4, 6]) end.writeUInt16LE(Object.keys(files).length, place);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...local, entries, Buffer.from('PK\x05\x06'), end]);
}
