// The selected contacts, live and deleted ones apart. Most actions apply to one of the two.

import { useQuery } from 'urql'
import { ContactsCountDocument } from '../../generated/documents/contacts.ts'
import type { ContactFilter, ContactRowFragment } from '../../generated/operations.ts'
import type { Selection } from '../../table/use-selection.ts'
import type { Chosen } from './use-bulk.tsx'

interface Selected {
  selection: Selection
  filter: ContactFilter
  rows: readonly Pick<ContactRowFragment, 'id' | 'deletedAt'>[]
  total: number | null | undefined
}

interface ChosenContacts {
  /** All of them, as an export takes them. */
  chosen: { filter: ContactFilter; ids?: string[] }
  /** Null for none. */
  live: Chosen | null
  deleted: Chosen | null
  /** Null until they are counted. */
  count: number | null
  liveCount: number | null
  deletedCount: number | null
}

export function useChosen({ selection: { ids, isEverything }, filter, rows, total = null }: Selected): ChosenContacts {
  const { includeDeleted, onlyDeleted, ...others } = filter
  const isMixed = includeDeleted === true && onlyDeleted !== true
  const [{ data }] = useQuery({ query: ContactsCountDocument, variables: { filter: others }, pause: !isMixed || !isEverything })
  if (isEverything) {
    const ofMixed = data?.contacts.totalCount ?? null
    const liveCount = isMixed ? ofMixed : onlyDeleted ? 0 : total
    return {
      chosen: { filter },
      live: liveCount === 0 ? null : { filter: others },
      deleted: onlyDeleted || isMixed ? { filter: others } : null,
      count: total,
      liveCount,
      deletedCount: total === null || liveCount === null ? null : total - liveCount,
    }
  }
  const areDeleted = new Set(rows.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id))
  const { deleted = [], live = [] } = Object.groupBy(ids, id => (areDeleted.has(id) ? 'deleted' : 'live'))
  const choiceOf = (some: string[]): Chosen | null => (some.length > 0 ? { ids: some } : null)
  return {
    chosen: { ids: [...ids], filter: { includeDeleted: true } },
    live: choiceOf(live),
    deleted: choiceOf(deleted),
    count: ids.size,
    liveCount: live.length,
    deletedCount: deleted.length,
  }
}
