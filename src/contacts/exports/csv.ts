// Writes CSV (RFC 4180) whose cells a spreadsheet does not evaluate.

// A spreadsheet evaluates a cell that begins with one of these as a formula (OWASP, CSV injection). The last four are their full-width
// forms. One that begins with an apostrophe before it gets another, so that an import has it as it was.
const formula = /^'*[=+\-@\t\r＝＋－＠]/
const needsQuotes = /[",;\t\r\n]|^\s|\s$/

/** Excel takes a file without it for one in an old encoding. */
export const byteOrderMark = '\ufeff'

/** A line of cells with its line end. A cell that would be a formula gets a leading apostrophe. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The inverse of the apostrophe in `csvLine`. */
export const withoutApostrophe = (cell: string): string => (cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell)
