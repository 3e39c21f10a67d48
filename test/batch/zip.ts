import { crc32, deflateRawSync } from 'node:zlib';

/** A zip of these parts. `claimed` replaces their unpacked sizes in its directory. */
export function zipOf(parts: Readonly<Record<string, string | Buffer>>, claimed?: number): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(parts)) {
    const raw = Buffer.from(content);
    const packed = deflateRawSync(raw);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(raw), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(claimed ?? raw.length, 18);
    facts.writeUInt16LE(name.length, 22);
    local.push(Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), facts, entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(parts).length, 4);
  end.writeUInt16LE(Object.keys(parts).length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...local, entries, Buffer.from('PK\x05\x06'), end]);
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const related = (...targets: readonly [type: string, target: string][]) =>
  `<Relationships xmlns="${relations}">${targets
    .map(([type, to], at) => `<Relationship Id="r${at}" Type="${types}/${type}" Target="${to}"/>`)
    .join('')}</Relationships>`;

/** The parts of a workbook with one sheet, whose rows are XML. */
export const bookParts = (rows: string, after = ''): Record<string, string> => ({
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  '_rels/.rels': related(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${types}"><sheets><sheet name="S" sheetId="1" r:id="r0"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': related(
    ['worksheet', 'worksheets/sheet1.xml'],
    ['sharedStrings', 'sharedStrings.xml'],
  ),
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${after}</worksheet>`,
});
