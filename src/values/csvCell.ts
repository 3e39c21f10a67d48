/*
 * Cells of CSV start with a ' if a spreadsheet would run them, and if they are text that a cell cannot
 * hold, which is then written as a JSON string. The ' is removed when `mar` reads the cell. Text that
 * starts like a protected cell gets one more.
 */

/** The start of a formula in a spreadsheet, some of which drop the first character. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const looksProtected = /^'+["=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const negativeNumber = /^-\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** White space alone would be read as an empty cell, and a file with NUL is not taken for text. */
const isUnwritable = (cell: string) => (cell !== '' && cell.trim() === '') || cell.includes('\0');

export function protectedCell(cell: string): string {
  if (isUnwritable(cell)) return `'${JSON.stringify(cell)}`;
  const isFormula = formula.test(cell) && !negativeNumber.test(cell);
  return isFormula || looksProtected.test(cell) ? `'${cell}` : cell;
}

/** The text of a cell that may be protected. */
export function unprotected(cell: string): string {
  if (!looksProtected.test(cell)) return cell;
  const text = cell.slice(1);
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Written by another program.
    return cell;
  }
}
