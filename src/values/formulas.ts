/*
 * Cells of CSV that a spreadsheet would run. A leading ' prevents it, and is removed when `mar` reads
 * the cell. Text that starts like a protected formula gets one more.
 */

/** The start of a formula in a spreadsheet, some of which drop the first character. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const protectedFormula = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const negativeNumber = /^-\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

export const withoutFormula = (cell: string) =>
  (formula.test(cell) && !negativeNumber.test(cell)) || protectedFormula.test(cell)
    ? `'${cell}`
    : cell;

/** The text of a cell that may be protected. */
export const unprotected = (cell: string) => (protectedFormula.test(cell) ? cell.slice(1) : cell);
