// contacts list: the organization's contacts, newest first.

import type { Item } from '../../../client/endpoints.ts'
import type { Terminal } from '../../terminal.ts'
import type { ListFlags } from '../flags.ts'
import { pageSize, printEntries } from '../output/entries.ts'
import { minute } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { connect } from '../session/connect.ts'
import type { Stage } from './fields.ts'

export interface Flags extends ListFlags {
  search?: string
  stage?: Stage[]
  tag?: string[]
  deleted?: boolean
}

type Contact = Item<'/api/crm/v1/contacts'>

const columns: readonly Column<Contact>[] = [
  { title: 'ID', of: ({ id }) => id, isWhole: true },
  { title: 'NAME', of: ({ full_name }) => full_name },
  { title: 'EMAIL', of: ({ email }) => email },
  { title: 'COMPANY', of: ({ company_name }) => company_name },
  { title: 'STAGE', of: ({ lifecycle_stage }) => lifecycle_stage },
  { title: 'TAGS', of: ({ tags }) => tags.join(', ') },
  { title: 'CREATED', of: ({ created_at }) => minute(created_at) },
]

export async function list(this: Terminal, flags: Flags): Promise<void> {
  const { search, stage, tag, deleted } = flags
  const query = { limit: pageSize(flags), q: search, lifecycle_stage: stage, tag, only_deleted: deleted }
  const entries = connect(this, flags).list('/api/crm/v1/contacts', { query })
  await printEntries(this, flags, entries, { columns, nothing: 'No contacts' })
}
