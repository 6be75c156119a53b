// Writes CSV (RFC 4180) that a spreadsheet opens without running it.

// A spreadsheet runs a cell that begins with one of these as a formula (OWASP, CSV injection). The last four are their full-width forms.
const formula = /^[=+\-@\t\r＝＋－＠]/
const needsQuotes = /[",;\t\r\n]|^\s|\s$/

/** A line of cells with its line end. A cell that would be a formula gets a leading apostrophe. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The text of a cell as it was before `csvLine`. */
export const withoutApostrophe = (cell: string): string => (cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell)
