// Tables for a terminal: as wide as it is, the widest columns cut first.

import Table from 'cli-table3'
import type { Terminal } from '../../terminal.ts'
import { displayText, inStyle, printLine } from './print.ts'

export interface Column<Row> {
  title: string
  of(row: Row): unknown
  /** Never cut: a part of an id is of no use. */
  isWhole?: true
}

const gap = 2
const minWidth = 8
const defaultScreen = 100

/** Prints the rows below their titles, or a sentence if there are none. */
export function printTable<Row>(terminal: Terminal, columns: readonly Column<Row>[], rows: readonly Row[], nothing: string): void {
  if (rows.length === 0) return void printLine(terminal, nothing)
  const cells = rows.map(row => columns.map(({ of }) => displayText(of(row))))
  const wanted = columns.map(({ title }, at) => Math.max(title.length, ...cells.map(row => row[at]?.length ?? 0)) + gap)
  const table = new Table({
    head: columns.map(({ title }) => inStyle(terminal, 'bold', title)),
    // A pseudo-terminal may have 0 columns.
    colWidths: fitWidths(
      wanted,
      columns.map(({ isWhole }) => isWhole === true),
      terminal.process.stdout.columns || defaultScreen,
    ),
    chars: noLines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
  })
  table.push(...cells)
  printLine(
    terminal,
    table
      .toString()
      .split('\n')
      .map(line => line.trimEnd())
      .join('\n'),
  )
}

/** Prints names and values, one a line. */
export function printFields(terminal: Terminal, fields: readonly (readonly [name: string, value: unknown])[]): void {
  const width = Math.max(...fields.map(([name]) => name.length))
  for (const [name, value] of fields) {
    const text = displayText(value)
    if (text !== '') printLine(terminal, `${inStyle(terminal, 'bold', name.padEnd(width))}  ${text}`)
  }
}

/** Takes from the widest of the columns that may be cut until the row fits, or all of them are narrow. */
export function fitWidths(wanted: readonly number[], isWhole: readonly boolean[], screen: number): number[] {
  const widths = [...wanted]
  for (let over = widths.reduce((sum, width) => sum + width, 0) - screen; over > 0; over--) {
    const cut = widths.map((width, at) => (isWhole[at] ? 0 : width))
    const most = Math.max(...cut)
    if (most <= minWidth) break
    widths[cut.indexOf(most)] = most - 1
  }
  return widths
}

const noLines = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map(name => [name, '']),
)
