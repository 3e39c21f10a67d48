export { zipOf } from '../../harness/zip.ts';

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
