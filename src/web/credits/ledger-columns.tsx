// The columns of the ledger.

import type { LedgerEntryFragment } from '../generated/operations.ts'
import { creditWords } from '../language/en/credits.ts'
import { peopleWords } from '../language/en/people.ts'
import { creditPageWords } from '../language/en/screens/credits.ts'
import { locale } from '../language/language.ts'
import { Time } from '../pieces/time.tsx'
import { byAge, type Column } from '../table/columns.ts'
import { ReferenceLink } from './reference.tsx'

const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 6, signDisplay: 'exceptZero' })
const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })

export const ledgerColumns: readonly Column<LedgerEntryFragment>[] = [
  { id: 'type', header: creditPageWords.columns.type, width: 120, cell: ({ type }) => creditWords.transaction[type] },
  { id: 'createdAt', header: creditPageWords.columns.when, width: 150, sort: byAge, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'amount',
    header: creditPageWords.columns.amount,
    width: 120,
    align: 'right',
    cell: ({ amount }) => (amount === 0 ? null : signed.format(amount)),
  },
  {
    id: 'reserved',
    header: creditPageWords.columns.reserved,
    width: 120,
    align: 'right',
    cell: ({ reserved }) => (reserved === 0 ? null : signed.format(reserved)),
  },
  {
    id: 'available',
    header: creditPageWords.columns.availableAfter,
    width: 140,
    align: 'right',
    cell: ({ availableAfter }) => plain.format(availableAfter),
  },
  { id: 'for', header: creditPageWords.columns.for, width: 260, cell: ({ reference }) => <ReferenceLink reference={reference} /> },
  { id: 'operation', header: creditPageWords.columns.operation, width: 180, cell: ({ operation }) => operation },
  { id: 'by', header: creditPageWords.columns.by, width: 160, cell: ({ actor }) => actor.name ?? peopleWords.actor[actor.type] },
]
