// The rows of a sheet of a workbook, as texts.

import { AppError } from '../../../kernel/errors.ts'
import { maxColumns } from '../columns/columns.ts'
import { maxCellLength, type NumberStyle, textRuns, unescaped } from './texts.ts'
import { readXml } from './xml.ts'

/** The year from which a workbook counts days. */
export type DateSystem = 1900 | 1904

interface Parts {
  texts: readonly string[]
  styles: readonly NumberStyle[]
  dates: DateSystem
}

// As many as Excel has.
const maxRows = 1_048_576

interface Cell {
  column: number
  type: string
  style: number
  value: string
}

/** The rows in order; rows that the sheet leaves out are empty, so that the numbers are those that Excel shows. Throws INVALID. */
export async function* rowsOfSheet(bytes: AsyncIterable<Buffer>, parts: Parts): AsyncGenerator<string[]> {
  const found: { row: number; cells: string[] }[] = []
  let row = 0
  let cells: string[] = []
  let column = -1
  let cell: Cell | null = null
  let isValue = false
  const inline = textRuns()
  const handler = {
    open(name: string, { r = '', t = 'n', s = '0' }: Readonly<Record<string, string>>) {
      if (name === 'row') {
        row = numberIn(r) ?? row + 1
        cells = []
        column = -1
      } else if (name === 'c') {
        column = columnIn(r) ?? column + 1
        cell = { column, type: t, style: Number(s), value: '' }
      } else if (name === 'v') isValue = true
      else if (name === 'is') inline.begin()
      inline.open(name)
    },
    text(part: string) {
      if (isValue && cell && cell.value.length < maxCellLength) cell.value += part
      else inline.text(part)
    },
    close(name: string) {
      inline.close(name)
      if (name === 'v') isValue = false
      else if (name === 'is' && cell) cell.value = inline.end()
      else if (name === 'c' && cell) setCell(row, cells, cell, parts)
      else if (name === 'row') {
        found.push({ row, cells })
        cell = null
      }
    },
  }
  let last = 0
  for await (const _piece of readXml(bytes, handler))
    for (const one of found.splice(0)) {
      if (one.row > maxRows || one.row <= last) throw new AppError('INVALID', 'The sheet is damaged. Save it again, and upload that')
      while (++last < one.row) yield []
      yield one.cells
    }
}

function setCell(row: number, cells: string[], cell: Cell, parts: Parts): void {
  const value = textOf(cell, parts)
  if (value === '') return
  if (cell.column >= maxColumns)
    throw new AppError(
      'INVALID',
      `Row ${row} has more than ${maxColumns} cells; delete the columns that are not imported, and upload it again`,
    )
  while (cells.length < cell.column) cells.push('')
  cells[cell.column] = value
}

function textOf({ type, style, value }: Cell, { texts, styles, dates }: Parts): string {
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value
  if (type === 'str') return unescaped(value)
  if (type !== 'n' || value.trim() === '') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return (styles[style] === 'date' ? dayOf(number, dates) : null) ?? plainNumber(number)
}

// Excel shows 15 digits. A phone number that was typed without its plus is a number, too, and never written as 1.4E+10.
const plainNumber = (number: number) => {
  const rounded = Number(number.toPrecision(15))
  return Math.abs(rounded) < 1e21 && Number.isInteger(rounded) ? BigInt(rounded).toString() : String(rounded)
}

const dayMs = 86_400_000
// The last day of the year 9999.
const maxSerial = 2_958_465

/** `2026-05-31`, `2026-05-31T12:00:00`, or `12:00:00` for a time alone. */
function dayOf(given: number, dates: DateSystem): string | null {
  const serial = dates === 1904 ? given + 1462 : given
  if (serial < 0 || serial > maxSerial) return null
  // Excel counts February 29, 1900, which was no day.
  const days = serial < 60 ? serial + 1 : serial
  const time = new Date(Math.round(((days - 25_569) * dayMs) / 1000) * 1000).toISOString()
  if (given < 1) return time.slice(11, 19)
  return Number.isInteger(serial) ? time.slice(0, 10) : time.slice(0, 19)
}

const numberIn = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : null)

/** `B5` is 1. */
function columnIn(reference: string): number | null {
  const letters = /^([A-Z]{1,4})\d*$/i.exec(reference)?.[1]
  return letters === undefined ? null : [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
