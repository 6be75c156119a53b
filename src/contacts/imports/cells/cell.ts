// The value of a cell of a file. A cell never costs its row: a value that the field cannot hold is left out, with a warning that says what to
// write.

export interface Cell {
  /** The new value of the field; absent: none. */
  value?: unknown
  /** Sentences about the cell, without a subject. */
  warnings: readonly string[]
}

export const is = (value: unknown): Cell => ({ value, warnings: [] })
export const leaveOut = (warning: string): Cell => ({ warnings: [warning] })

const placeholders = new Set(
  (
    '[] {} {null} [null] (null) <null> null none nil nan unknown undefined n/a n.a n.a. na na. #n/a n/d n.d. n.v.t. s/o s/n ' +
    'kein keine tbd unbekannt entfallt entfällt inconnu desconocido なし 無し 없음 unassigned (unassigned) blank (blank) empty (empty) leer (leer)'
  ).split(' '),
)
const saidNothing = /^(?:[-–—?.…/_~]+|k\.?\s?a\.?|not (?:available|applicable|provided|set|assigned)|\(?no owner\)?|لا يوجد)$/i

/** Cells that programs and people fill where they have no value. */
export const isPlaceholder = (text: string): boolean => placeholders.has(text.toLowerCase()) || saidNothing.test(text) || isError(text)

// Error values of Excel in any language, such as #VALEUR! and #¿NOMBRE?, error values of LibreOffice, and the null of databases.
const errors =
  /^(?:#[¡¿]?[\p{Lu}\p{N}/_]{1,20}[!?]|#(?:[Nn]\/?[Aa]|NV|[NН]\/[VDBДM]|I\/T|SAKNAS|YOK|HIÁNYZIK|GETTING_DATA)!?|Err:\d{3}|\\N)$/u

/** Texts that a spreadsheet shows where a formula failed: never a value, not even of a text. */
export const isError = (text: string): boolean => errors.test(text)
