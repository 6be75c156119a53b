// How many suggestions wait for a decision: beside their place in the navigation, current because changes of suggestions make it stale.

import { useQuery } from 'urql'
import { WaitingSuggestionsDocument } from '../../generated/documents/frame.ts'

/** By the address of the place; nothing where none waits, or it is not known. */
export function useWaiting(): Readonly<Record<string, number>> {
  const [{ data }] = useQuery({ query: WaitingSuggestionsDocument })
  const count = data?.suggestions.totalCount ?? 0
  return count > 0 ? { '/suggestions': count } : {}
}
