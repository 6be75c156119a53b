// calls list: the organization's calls, newest first.

import type { Item } from '../../../client/endpoints.ts'
import type { Terminal } from '../../terminal.ts'
import type { ListFlags } from '../flags.ts'
import { pageSize, printEntries } from '../output/entries.ts'
import { minute } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { connect } from '../session/connect.ts'
import type { Status } from './fields.ts'

export interface Flags extends ListFlags {
  contact?: string
  agent?: string
  status?: Status[]
  trials?: boolean
}

const columns: readonly Column<Item<'/api/voice/v1/calls'>>[] = [
  { title: 'ID', of: ({ id }) => id, isWhole: true },
  { title: 'TO', of: ({ to_number }) => to_number },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'OUTCOME', of: ({ outcome }) => outcome },
  { title: 'SECONDS', of: ({ duration_seconds }) => duration_seconds },
  { title: 'CREATED', of: ({ created_at }) => minute(created_at) },
]

export async function list(this: Terminal, flags: Flags): Promise<void> {
  const { contact, agent, status, trials } = flags
  const ofOne = { contact_id: contact ? [contact] : undefined, agent_id: agent ? [agent] : undefined }
  const query = { limit: pageSize(flags), ...ofOne, status, is_trial: trials }
  await printEntries(this, flags, connect(this, flags).list('/api/voice/v1/calls', { query }), { columns, nothing: 'No calls' })
}
