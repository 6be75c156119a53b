// Exports: all contacts of a list as a file, generated page by page during the download.

import { mayStill } from '../../identity/authentication/still-allowed.ts'
import type { Context } from '../../kernel/context.ts'
import { createDownload, type Download, type FileKind, fileKind, organizationToDownloadFrom } from '../../kernel/downloads.ts'
import { invalid } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { tooLong } from '../../kernel/input/fields.ts'
import { at } from '../../kernel/input/problem.ts'
import { eventsOf } from '../../kernel/nouns/events.ts'
import { maxChosen } from '../bulk/selection.ts'
import { type ContactFilter, conditionsOf } from '../contact/list/filter.ts'
import type { ContactSort } from '../contact/list/list.sql.ts'
import { countContacts, everyContact } from '../contact/list/list.ts'
import { customFieldsOf } from '../custom-fields/field.ts'
import { allColumns, cellOf, columnProblems, headerOf } from './columns.ts'
import { csvLine } from './csv.ts'

const exportEvents = eventsOf('contact_export', {
  created: 'A link to an export of contacts, or to the refused rows of an import, was made.',
  downloaded: 'Such a link was used.',
})

export interface CreateExport {
  filter?: ContactFilter | null
  /** Only these of the contacts that match, at most 1000. */
  ids?: readonly string[] | null
  sort?: ContactSort | null
  /** Names as `firstName` and `custom.plan`. Default: all. */
  columns?: readonly string[] | null
  byteOrderMark?: boolean | null
}

interface Parameters {
  filter: ContactFilter
  ids: readonly string[] | null
  sort: ContactSort
  columns: string[]
  byteOrderMark: boolean
}

/** Creates the link to a file with the contacts that match the filter at the time of the download. */
export async function createExport(context: Context, input: CreateExport): Promise<Download> {
  const orgId = organizationToDownloadFrom(context)
  const filter = input.filter ?? {}
  // Throws INVALID now; during the download it would be too late for an error.
  conditionsOf(filter)
  const keys = (await customFieldsOf(context, orgId)).map(({ key }) => key)
  const problems = [
    ...(input.columns ? columnProblems(input.columns, keys) : []),
    ...(input.ids && input.ids.length > maxChosen ? at('ids', tooLong(input.ids, maxChosen)) : []),
  ]
  if (problems.length > 0) throw invalid(problems)
  const columns = [...new Set(input.columns ?? allColumns(keys))]
  const parameters: Parameters = {
    filter,
    ids: input.ids?.filter(isId) ?? null,
    sort: input.sort ?? 'created_at_desc',
    columns,
    byteOrderMark: input.byteOrderMark ?? false,
  }
  if (context.dryRun) context.dryRun.file = { rowCount: await countContacts(context, parameters), columns: columns.map(headerOf) }
  const fileName = `contacts-${context.now().toISOString().slice(0, 10)}.csv`
  return createDownload(context, { kind: exportFile, fileName, parameters, changes: { columns } })
}

/** The file of an export: a line of headers, then the contacts. */
async function* exportContacts(context: Context, parameters: unknown): AsyncGenerator<string> {
  // `as`: `createExport` has stored these parameters.
  const { filter, ids, sort, columns, byteOrderMark } = parameters as Parameters
  yield `${byteOrderMark ? '\ufeff' : ''}${csvLine(columns.map(headerOf))}`
  for await (const contacts of everyContact(context, { filter: withDates(filter), ids, sort }))
    yield contacts.map(contact => csvLine(columns.map(column => cellOf(contact, column)))).join('')
}

/** The principal who must still be allowed to read the contacts of a file, and the events of its link. */
export const ofContacts = {
  created: exportEvents.created,
  downloaded: exportEvents.downloaded,
  mayStillRead: (context, maker, orgId) => mayStill(context, maker, orgId, 'contacts:read'),
} satisfies Partial<FileKind>

const exportFile = fileKind({ name: 'contact_export', write: exportContacts, ...ofContacts })

// Times are texts in JSON.
function withDates<Filter extends object>(filter: Filter): Filter {
  const revived = Object.entries(filter).map(([name, value]) => {
    if (name === 'custom' && Array.isArray(value)) return [name, value.map(withDates)]
    return [name, /since$|until$/i.test(name) && typeof value === 'string' ? new Date(value) : value]
  })
  return Object.fromEntries(revived) as Filter
}
