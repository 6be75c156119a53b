// credits: the balance, and with --transactions the ledger.

import type { Item } from '../../../client/endpoints.ts'
import type { Terminal } from '../../terminal.ts'
import type { ListFlags } from '../flags.ts'
import { pageSize, printEntries } from '../output/entries.ts'
import { isForPeople, minute, printJson } from '../output/print.ts'
import { type Column, printFields } from '../output/table.ts'
import { connect } from '../session/connect.ts'

export interface Flags extends ListFlags {
  transactions?: boolean
}

const columns: readonly Column<Item<'/api/credits/transactions'>>[] = [
  { title: 'TIME', of: ({ created_at }) => minute(created_at) },
  { title: 'TYPE', of: ({ type }) => type },
  { title: 'AMOUNT', of: ({ amount }) => amount },
  { title: 'BALANCE', of: ({ balance_after }) => balance_after },
  { title: 'FOR', of: ({ reference }) => reference },
]

export async function credits(this: Terminal, flags: Flags): Promise<void> {
  const client = connect(this, flags)
  if (flags.transactions) {
    const entries = client.list('/api/credits/transactions', { query: { limit: pageSize(flags) } })
    return printEntries(this, flags, entries, { columns, nothing: 'No transactions' })
  }
  const balance = await client.get('/api/credits/balance')
  if (!isForPeople(this, flags)) return printJson(this, balance)
  printFields(this, [
    ['available', balance.available],
    ['reserved', balance.reserved],
    ['balance', balance.balance],
    ['next expiry', minute(balance.next_expiry)],
    ['low', balance.low_balance ? `below ${balance.low_balance_threshold}` : null],
  ])
}
