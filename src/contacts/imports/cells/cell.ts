// What a cell of a file becomes. A cell never costs its row: what a field cannot hold is left out, with a warning that says what to write.

export interface Cell {
  /** What the field is set to; absent: nothing. */
  value?: unknown
  /** Sentences about the cell, without a subject. */
  warnings: readonly string[]
}

export const is = (value: unknown): Cell => ({ value, warnings: [] })
export const left = (warning: string): Cell => ({ warnings: [warning] })

/** Cells that programs and people fill where they have no value. */
export const isPlaceholder = (text: string): boolean =>
  /^(?:[-–—?.…/]+|#?n[/.]?a\.?|#nv|#n\/v|null|none|nil|unknown|undefined|k\.?\s?a\.?|keine?|tbd|not (?:available|applicable|provided|set)|unbekannt|entfallt|entfällt|inconnu|desconocido|\(?(?:no owner|unassigned|blank|empty|leer)\)?)$/i.test(
    text,
  )

/** What a spreadsheet shows where a formula failed: never a value, not even of a text. */
export const isError = (text: string): boolean =>
  /^#(?:n\/?a|n\/v|nv|ref!|value!|div\/0!|name\?|null!|num!|spill!|bezug!|wert!)$/i.test(text)
