// Counts beside places, for the navigation: open items of the inbox, and suggestions that wait for a decision. Changes make them stale, so they
// stay current.

import { useQuery } from 'urql'
import { InboxCountDocument, WaitingSuggestionsDocument } from '../../generated/documents/frame.ts'
import { useMe } from '../../session/use-me.ts'

/** The count by the address of the place; no entry when nothing waits or the count is unknown. */
export function useWaiting(): Readonly<Record<string, number>> {
  const { isGuest } = useMe()
  const [{ data }] = useQuery({ query: WaitingSuggestionsDocument })
  // A guest has no inbox.
  const [{ data: inbox }] = useQuery({ query: InboxCountDocument, pause: isGuest })
  const counts = { '/inbox': inbox?.inboxCount ?? 0, '/suggestions': data?.suggestions.totalCount ?? 0 }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
