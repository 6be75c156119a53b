// contacts import: uploads a CSV file, starts the import, and with --watch follows it to its end.

import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import type { Answer } from '../../../client/endpoints.ts'
import type { components } from '../../../client/generated/api.ts'
import { CommandError, exitStatus, type Terminal } from '../../terminal.ts'
import type { CommonFlags } from '../flags.ts'
import { isForPeople, printJson } from '../output/print.ts'
import { startProgress, startSpinner } from '../output/progress.ts'
import { printFields } from '../output/table.ts'
import { connect } from '../session/connect.ts'
import { pairOf } from './fields.ts'

export interface Flags extends CommonFlags {
  watch?: boolean
  onConflict?: 'update' | 'skip'
  /** 0: the file has no headers. */
  headerRow?: number
  delimiter?: Import['delimiter']
  encoding?: Import['encoding']
  map?: string[]
}

type Import = Answer<'get', '/api/crm/v1/imports/{import_id}'>

const pollMs = 1_000
// An upload of the largest file over a slow line.
const uploadMs = 600_000

export async function importFile(this: Terminal, flags: Flags, path: string): Promise<void> {
  const client = connect(this, flags)
  const { watch, onConflict, map, headerRow, delimiter, encoding } = flags
  const body = new Blob([new Uint8Array(await bytesOf(this, path))], { type: 'text/csv' })
  const size = `${path === '-' ? 'the file' : basename(path)}, ${(body.size / 1_000_000).toFixed(1)} MB`
  const file_name = path === '-' ? undefined : basename(path)
  // A limit of the server is said at once, and not waited for.
  const patience = { timeoutMs: uploadMs, maxRetryAfterMs: 5_000 }
  const query = { file_name, delimiter, encoding, ...headersOf(headerRow) }
  const uploaded = await whileShown(this, `Uploading ${size}`, () => client.post('/api/crm/v1/imports', { body, query, ...patience }))
  const mapping = map && mappingOf(uploaded, map)
  const started = await client.post('/api/crm/v1/imports/{import_id}/start', {
    path: { import_id: uploaded.id },
    body: { ...(onConflict && { on_conflict: onConflict }), ...(mapping && { mapping }) },
  })
  const last = watch ? await followImport(this, client, started) : started
  if (isForPeople(this, flags)) printImport(this, last)
  else printJson(this, last)
  if (watch && last.status !== 'completed')
    throw new CommandError(`The import ${last.id} is ${last.status}${last.status_reason ? `: ${last.status_reason}` : ''}`)
}

const headersOf = (row: number | undefined) => (row === 0 ? { has_header: false } : row !== undefined ? { header_row: row } : {})

/** Shows the message while the work takes, with the seconds that it has taken. */
async function whileShown<Result>(terminal: Terminal, message: string, work: () => Promise<Result>): Promise<Result> {
  const spinner = startSpinner(terminal, message)
  const began = performance.now()
  const timer = setInterval(() => spinner.advance(0, `${message}, for ${Math.round((performance.now() - began) / 1000)} s`), pollMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    spinner.stop(message)
  }
}

async function bytesOf({ process }: Terminal, path: string): Promise<Buffer> {
  try {
    return await buffer(path === '-' ? process.stdin : createReadStream(path))
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function followImport(terminal: Terminal, client: Client, started: Import): Promise<Import> {
  const progress = startProgress(terminal, 'Waiting for its turn')
  for (let current = started; ; ) {
    if (current.status === 'completed' || current.status === 'failed' || current.status === 'canceled') {
      progress.stop(countsOf(current))
      return current
    }
    progress.advance(current.bytes_read / Math.max(current.byte_count, 1), countsOf(current))
    await sleep(pollMs)
    current = await client.get('/api/crm/v1/imports/{import_id}', { path: { import_id: current.id } })
  }
}

const countsOf = ({ row_count, created_count, updated_count, skipped_count, refused_count, warning_count }: Import) =>
  `${row_count} rows: ${created_count} created, ${updated_count} updated, ${skipped_count} skipped, ${refused_count} refused` +
  (warning_count > 0 ? `, ${warning_count} cells left out` : '')

function printImport(terminal: Terminal, found: Import): void {
  const { id, file_name, status, columns, mapping, ...counts } = found
  const unused = mapping === null ? [] : columns.filter((_column, index) => !mapping.some(({ column }) => column === index))
  printFields(terminal, [
    ['import', id],
    ['file', file_name],
    ['status', status],
    ['rows', countsOf(found)],
    ['columns left out', unused.length > 0 ? unused.map(({ name }) => name).join(', ') : null],
    ['refused rows', counts.refused_count > 0 ? `rolocom api POST /api/crm/v1/imports/${id}/report` : null],
    ['cells left out', counts.warning_count > 0 ? `rolocom api POST /api/crm/v1/imports/${id}/report -f kind=warnings` : null],
  ])
}

/** `Header=field`, `Header=custom.key` as the rows of a mapping. Throws CommandError for an unknown header. */
function mappingOf({ columns }: Import, given: readonly string[]) {
  return given.map(pairOf).map(([header, named]) => {
    const column = columns.findIndex(({ name }) => name === header)
    if (column < 0)
      throw new CommandError(`The file has no column "${header}"; it has ${columns.map(({ name }) => name).join(', ')}`, exitStatus.usage)
    if (named.startsWith('custom.')) return { column, custom_field: named.slice('custom.'.length) }
    return { column, field: fieldNamed(named) }
  })
}

// `as`: the server refuses a name that is no field, and lists the fields.
const fieldNamed = (name: string) => name as components['schemas']['ContactField']
