// The ledger: every entry of the account, newest first, with what it was for.

import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useConnection } from '../data/use-connection.ts'
import { Toolbar } from '../frame/header.tsx'
import { CreditLedgerDocument } from '../generated/documents/credits.ts'
import type { LedgerEntryFragment } from '../generated/operations.ts'
import { type AgeSort, type CreditTransactionType, creditTransactionTypeValues } from '../generated/schema.ts'
import type { Change } from '../live/change.ts'
import { Empty, NoMatch } from '../pieces/empty.tsx'
import { Several } from '../pieces/several.tsx'
import { words } from '../pieces/status.tsx'
import { ListTable } from '../table/list-table.tsx'
import { ledgerColumns } from './ledger-columns.tsx'
import { referenceOf } from './reference.tsx'

const pageSize = 100
const isChangedBy = ({ type }: Change) => type.startsWith('CREDITS_')

interface LedgerProps {
  types: CreditTransactionType[] | undefined
  sort: AgeSort | undefined
  onChange(change: { type?: CreditTransactionType[] | undefined; sort?: AgeSort }): void
}

export function Ledger({ types, sort = 'CREATED_AT_DESC', onChange }: LedgerProps) {
  const navigate = useNavigate()
  const variables = useMemo(() => ({ typeIn: types, sort, first: pageSize }), [types, sort])
  const list = useConnection({ document: CreditLedgerDocument, variables, pick: data => data.creditTransactions, isChangedBy })
  const open = ({ reference }: LedgerEntryFragment) => {
    const { kind, id } = referenceOf(reference)
    if (kind === 'job') void navigate({ to: '/jobs', search: { open: id } })
    if (kind === 'call') void navigate({ to: '/calls/$callId', params: { callId: id } })
    if (kind === 'run') void navigate({ to: '/gateway', search: { tab: 'runs', run: id } })
  }
  return (
    <>
      <Toolbar>
        <Several
          size="xs"
          aria-label="Types"
          placeholder={types ? undefined : 'Any type'}
          miw={180}
          data={creditTransactionTypeValues.map(value => ({ value, label: words(value) }))}
          value={types ?? []}
          onChange={values => onChange({ type: values.length > 0 ? values : undefined })}
          clearable
        />
      </Toolbar>
      <ListTable
        name="credit-ledger"
        label="Ledger"
        columns={ledgerColumns}
        list={list}
        onOpen={open}
        sort={sort}
        onSort={next => onChange({ sort: next as AgeSort })}
        empty={
          types ? (
            <NoMatch sentence="No entry has these types." onClear={() => onChange({ type: undefined })} />
          ) : (
            <Empty sentence="Every credit that comes in or goes out is listed here." />
          )
        }
      />
    </>
  )
}
