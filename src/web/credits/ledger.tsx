// The ledger: every entry of the account with its purpose, newest first.

import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useConnection } from '../data/use-connection.ts'
import { Toolbar } from '../frame/header.tsx'
import { CreditLedgerDocument } from '../generated/documents/credits.ts'
import type { LedgerEntryFragment } from '../generated/operations.ts'
import type { AgeSort, CreditTransactionType } from '../generated/schema.ts'
import { creditWords } from '../language/en/credits.ts'
import { creditPageWords } from '../language/en/screens/credits.ts'
import type { Change } from '../live/change.ts'
import { AnyOf } from '../pieces/several.tsx'
import { Empty, NoMatch } from '../pieces/states/empty.tsx'
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
        <AnyOf
          label={creditPageWords.types}
          placeholder={creditPageWords.anyType}
          words={creditWords.transaction}
          chosen={types}
          onChoose={chosen => onChange({ type: chosen })}
        />
      </Toolbar>
      <ListTable
        name="credit-ledger"
        label={creditPageWords.ledger}
        columns={ledgerColumns}
        list={list}
        onOpen={open}
        sort={sort}
        onSort={next => onChange({ sort: next as AgeSort })}
        empty={
          types ? (
            <NoMatch sentence={creditPageWords.noMatch} onClear={() => onChange({ type: undefined })} />
          ) : (
            <Empty sentence={creditPageWords.empty} />
          )
        }
      />
    </>
  )
}
