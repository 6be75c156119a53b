// Reads the entries of a list up to a limit, and prints them.

import type { Terminal } from '../../terminal.ts'
import type { ListFlags } from '../flags.ts'
import { isForPeople, printJson, say } from './print.ts'
import { type Column, printTable } from './table.ts'

/** How many entries one request asks for. */
export const pageSize = ({ limit, all }: ListFlags): number => (all ? 200 : Math.min(limit + 1, 200))

/** Prints the first entries, as a table or as a JSON array. The number of entries left out goes to standard error. */
export async function printEntries<Entry>(
  terminal: Terminal,
  flags: ListFlags,
  entries: AsyncIterable<Entry>,
  { columns, nothing }: { columns: readonly Column<Entry>[]; nothing: string },
): Promise<void> {
  const read: Entry[] = []
  let isCut = false
  for await (const entry of entries) {
    isCut = !flags.all && read.length === flags.limit
    if (isCut) break
    read.push(entry)
  }
  if (isForPeople(terminal, flags)) printTable(terminal, columns, read, nothing)
  else printJson(terminal, read)
  if (isCut) say(terminal, `Only the first ${flags.limit} are shown: --limit or --all shows more`)
}
