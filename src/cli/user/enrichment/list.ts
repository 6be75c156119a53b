// suggestions list: those that wait for a decision.

import type { Item } from '../../../client/endpoints.ts'
import type { Terminal } from '../../terminal.ts'
import type { ListFlags } from '../flags.ts'
import { pageSize, printEntries } from '../output/entries.ts'
import type { Column } from '../output/table.ts'
import { connect } from '../session/connect.ts'

export interface Flags extends ListFlags {
  contact?: string
}

export type Suggestion = Item<'/api/enrich/v1/suggestions'>

const columns: readonly Column<Suggestion>[] = [
  { title: 'ID', of: ({ id }) => id, isWhole: true },
  { title: 'FIELD', of: ({ field }) => field },
  { title: 'NOW', of: ({ current_value }) => current_value },
  { title: 'PROPOSED', of: ({ proposed_value }) => proposed_value },
  { title: 'SURE', of: ({ confidence }) => `${Math.round(confidence * 100)} %` },
  { title: 'FROM', of: ({ provider }) => provider },
]

export async function list(this: Terminal, flags: Flags): Promise<void> {
  const query = { limit: pageSize(flags), status: ['pending' as const], contact_id: flags.contact ? [flags.contact] : undefined }
  const entries = connect(this, flags).list('/api/enrich/v1/suggestions', { query })
  await printEntries(this, flags, entries, { columns, nothing: 'No suggestion waits for a decision' })
}
