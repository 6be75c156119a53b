// The commands of a noun: each calls the endpoint of its name, and prints the answer.

import type { Method } from '../../../client/endpoints.ts'
import type { LooseInput } from '../../../client/request.ts'
import type { Terminal } from '../../terminal.ts'
import { type FieldFlags, fieldsOf } from '../api/fields.ts'
import type { CommonFlags, ListFlags } from '../flags.ts'
import { pageSize, printEntries } from '../output/entries.ts'
import { isForPeople, minute, printJson } from '../output/print.ts'
import { type Column, printFields } from '../output/table.ts'
import { connect } from '../session/connect.ts'
import type { ServerFlags } from '../session/server.ts'

interface Noun {
  many: string
  list: string
  create: string
  at: string
  restore?: string
  move?: string
  columns: readonly string[]
}
interface DryRunFlags extends CommonFlags {
  dryRun?: boolean
}
interface WriteFlags extends DryRunFlags, FieldFlags {}
type Row = Readonly<Record<string, unknown>>

export const listing = ({ many, list, columns }: Noun) =>
  async function (this: Terminal, flags: ListFlags & FieldFlags): Promise<void> {
    const query = { limit: pageSize(flags), ...fieldsOf(flags) }
    const shown: Column<Row>[] = [{ title: 'ID', of: ({ id }) => id, isWhole: true }, ...columns.map(columnOf)]
    await printEntries(this, flags, clientOf(this, flags).list(list, { query }), { columns: shown, nothing: `No ${many}` })
  }

export const getting = ({ at }: Noun) =>
  async function (this: Terminal, flags: CommonFlags, id: string): Promise<void> {
    printRow(this, flags, await clientOf(this, flags).get(at, { path: idOf(at, id) }))
  }

export const creating = ({ create }: Noun) =>
  async function (this: Terminal, flags: WriteFlags): Promise<void> {
    printRow(this, flags, await clientOf(this, flags).post(create, { body: fieldsOf(flags), query: queryOf(flags) }))
  }

export const updating = ({ at }: Noun) =>
  async function (this: Terminal, flags: WriteFlags, id: string): Promise<void> {
    const input = { path: idOf(at, id), body: fieldsOf(flags), query: queryOf(flags) }
    printRow(this, flags, await clientOf(this, flags).patch(at, input))
  }

export const deleting = ({ at }: Noun) =>
  async function (this: Terminal, flags: DryRunFlags, id: string): Promise<void> {
    printRow(this, flags, await clientOf(this, flags).delete(at, { path: idOf(at, id), query: queryOf(flags) }))
  }

export const restoring = ({ restore = '' }: Noun) =>
  async function (this: Terminal, flags: DryRunFlags, id: string): Promise<void> {
    printRow(this, flags, await clientOf(this, flags).post(restore, { path: idOf(restore, id), query: queryOf(flags) }))
  }

export const moving = ({ move = '' }: Noun) =>
  async function (this: Terminal, flags: DryRunFlags & { stage: string }, id: string): Promise<void> {
    const input = { path: idOf(move, id), body: { stage_id: flags.stage }, query: queryOf(flags) }
    printRow(this, flags, await clientOf(this, flags).post(move, input))
  }

type LooseClient = Record<Method, (path: string, input: LooseInput) => Promise<Row>> & {
  list(path: string, input: LooseInput): AsyncGenerator<Row, void, undefined>
}

// `as`: where a noun is declared, the compiler checks that its paths have these endpoints.
const clientOf = (terminal: Terminal, flags: ServerFlags) => connect(terminal, flags) as unknown as LooseClient

const parametersOf = (path: string) => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
const idOf = (at: string, id: string) => Object.fromEntries(parametersOf(at).map(name => [name, id]))
const queryOf = ({ dryRun }: DryRunFlags) => ({ dry_run: dryRun })

const columnOf = (name: string): Column<Row> => ({
  title: name.replaceAll('_', ' ').toUpperCase(),
  of: row => (name.endsWith('_at') ? minute(row[name] as string | null) : row[name]),
  ...(name.endsWith('_id') && { isWhole: true }),
})

/** A dry run answers what it would do, in place of the row. */
function printRow(terminal: Terminal, flags: DryRunFlags, row: Row): void {
  if (isForPeople(terminal, flags) && !flags.dryRun) printFields(terminal, Object.entries(row))
  else printJson(terminal, row)
}
