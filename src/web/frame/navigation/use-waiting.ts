// The number of suggestions that wait for a decision, for the navigation. Changes of suggestions make it stale, so it stays current.

import { useQuery } from 'urql'
import { WaitingSuggestionsDocument } from '../../generated/documents/frame.ts'

/** The count by the address of the place; no entry when nothing waits or the count is unknown. */
export function useWaiting(): Readonly<Record<string, number>> {
  const [{ data }] = useQuery({ query: WaitingSuggestionsDocument })
  const count = data?.suggestions.totalCount ?? 0
  return count > 0 ? { '/suggestions': count } : {}
}
