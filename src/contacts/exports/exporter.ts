// Exports of records: all records of a list as a file, generated page by page during the download.

import { mayStill } from '../../identity/authentication/still-allowed.ts'
import type { Context } from '../../kernel/context.ts'
import { createDownload, type Download, type FileKind, fileKind, organizationToDownloadFrom } from '../../kernel/downloads.ts'
import { invalid } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { tooLong } from '../../kernel/input/fields.ts'
import { at } from '../../kernel/input/problem.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import { maxChosen } from '../bulk/selection.ts'
import { customFieldsOf } from '../custom-fields/field.ts'
import { type RecordNoun, tableOfNoun } from '../records/nouns.ts'
import { allColumns, cellOf, columnProblems, headerOf } from './columns.ts'
import { byteOrderMark, csvLine } from './csv.ts'

/** Which records: those that match the filter, and of them the named ones. */
interface Listed<Filter> {
  filter: Filter
  /** Null or absent for all. */
  ids?: readonly string[] | null
}

/** A noun whose records can be exported. */
export interface Exported<Filter, Sort> {
  noun: RecordNoun
  events: { created: EventType; downloaded: EventType }
  /** The names of its columns, without the custom fields. */
  fields: readonly string[]
  /** Throws INVALID for a filter. */
  check(filter: Filter): void
  count(context: Context, listed: Listed<Filter>): Promise<number>
  /** The records, with a property for each field. */
  every(context: Context, listed: Listed<Filter> & { sort: Sort }): AsyncIterable<readonly { custom: object }[]>
}

export interface CreateExport<Filter, Sort> {
  filter?: Filter | null
  /** Only these of the records that match, at most 1000. */
  ids?: readonly string[] | null
  sort?: Sort | null
  /** Names as `firstName` and `custom.plan`. Default: all. */
  columns?: readonly string[] | null
  byteOrderMark?: boolean | null
}

interface Parameters<Filter, Sort> extends Listed<Filter> {
  sort: Sort
  columns: string[]
  byteOrderMark: boolean
}

/** The principal who must still be allowed to read the records of a file. */
export const mayStillRead: FileKind['mayStillRead'] = (context, maker, orgId) => mayStill(context, maker, orgId, 'contacts:read')

/** A function that creates the link to a file with the records that match the filter at the time of the download. */
export function exporterOf<Filter extends object, Sort extends string>(
  { noun, events, fields, check, count, every }: Exported<Filter, Sort>,
  usualSort: Sort,
): (context: Context, input: CreateExport<Filter, Sort>) => Promise<Download> {
  const kind = fileKind({ name: `${noun}_export`, write: exportRecords, ...events, mayStillRead })

  return async (context, input) => {
    const orgId = organizationToDownloadFrom(context)
    // `as`: every member of a filter is optional.
    const filter = input.filter ?? ({} as Filter)
    // During the download it would be too late for an error.
    check(filter)
    const known = allColumns(
      fields,
      (await customFieldsOf(context, orgId, noun)).map(({ key }) => key),
    )
    const problems = [
      ...(input.columns ? columnProblems(noun, input.columns, known) : []),
      ...(input.ids && input.ids.length > maxChosen ? at('ids', tooLong(input.ids, maxChosen)) : []),
    ]
    if (problems.length > 0) throw invalid(problems)
    const columns = [...new Set(input.columns ?? known)]
    const parameters: Parameters<Filter, Sort> = {
      ...{ filter, ids: input.ids?.filter(isId) ?? null, sort: input.sort ?? usualSort },
      ...{ columns, byteOrderMark: input.byteOrderMark ?? false },
    }
    if (context.dryRun) context.dryRun.file = { rowCount: await count(context, parameters), columns: columns.map(headerOf) }
    const fileName = `${tableOfNoun[noun]}-${context.now().toISOString().slice(0, 10)}.csv`
    return createDownload(context, { kind, fileName, parameters, changes: { columns } })
  }

  /** The file of an export: a line of headers, then the records. */
  async function* exportRecords(context: Context, parameters: unknown): AsyncGenerator<string> {
    // `as`: the function above has stored these parameters.
    const { filter, columns, byteOrderMark: hasMark, ...listed } = parameters as Parameters<Filter, Sort>
    yield `${hasMark ? byteOrderMark : ''}${csvLine(columns.map(headerOf))}`
    for await (const records of every(context, { ...listed, filter: withDates(filter) }))
      yield records.map(record => csvLine(columns.map(column => cellOf(record, column)))).join('')
  }
}

// Times are texts in JSON.
function withDates<Filter extends object>(filter: Filter): Filter {
  const revived = Object.entries(filter).map(([name, value]) => {
    if (name === 'custom' && Array.isArray(value)) return [name, value.map(withDates)]
    return [name, /since$|until$/i.test(name) && typeof value === 'string' ? new Date(value) : value]
  })
  return Object.fromEntries(revived) as Filter
}
