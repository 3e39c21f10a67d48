import { crc32, deflateRawSync } from 'node:zlib';

/** An archive of these files, as other programs write it. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const [bytes, nameBytes] = [Buffer.from(content as string), Buffer.from(name)];
    const data = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    // Version 2.0, names in UTF-8, deflated.
    for (const [value, at] of [
      [20, 0],
      [0x800, 2],
      [8, 4],
      [nameBytes.length, 22],
    ] as const) {
      common.writeUInt16LE(value, at);
    }
    for (const [value, at] of [
      [crc32(bytes), 10],
      [data.length, 14],
      [bytes.length, 18],
    ] as const) {
      common.writeUInt32LE(value, at);
    }
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(offset, 12);
    const local = [Buffer.from('PK\x03\x04'), common, nameBytes, data];
    directory.push(
      Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
      common,
      entry.subarray(2),
      nameBytes,
    );
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  const count = Object.keys(files).length;
  for (const at of [8, 10]) end.writeUInt16LE(count, at);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
