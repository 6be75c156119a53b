// agents list: the voice agents of the organization.

import type { Item } from '../../../client/endpoints.ts'
import type { Terminal } from '../../terminal.ts'
import type { ListFlags } from '../flags.ts'
import { pageSize, printEntries } from '../output/entries.ts'
import { minute } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { connect } from '../session/connect.ts'

const columns: Column<Item<'/api/voice/v1/agents'>>[] = [
  { title: 'ID', of: ({ id }) => id, isWhole: true },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'PROVIDER', of: ({ provider }) => provider },
  { title: 'NUMBER', of: ({ phone_number }) => phone_number },
  { title: 'CREATED', of: ({ created_at }) => minute(created_at) },
]

export async function list(this: Terminal, flags: ListFlags): Promise<void> {
  const found = connect(this, flags).list('/api/voice/v1/agents', { query: { limit: pageSize(flags) } })
  await printEntries(this, flags, found, { columns, nothing: 'No voice agents' })
}
