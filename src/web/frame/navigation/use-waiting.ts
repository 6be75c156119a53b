// Counts beside places, for the navigation: open items of the inbox, and suggestions that wait for a decision. Changes make them stale, so they
// stay current.

import { useQuery } from 'urql'
import { InboxCountDocument, WaitingSuggestionsDocument } from '../../generated/documents/frame.ts'
import { frameWords } from '../../language/en/frame.ts'
import { numberText } from '../../language/format.ts'
import { useMe } from '../../session/use-me.ts'

export interface Waiting {
  count: number
  /** The count with what waits: "3 open". */
  words: string
}

/** By the address of the place; no entry when nothing waits or the count is unknown. */
export function useWaiting(): Readonly<Record<string, Waiting>> {
  const { isGuest } = useMe()
  const [{ data }] = useQuery({ query: WaitingSuggestionsDocument })
  // A guest has no inbox.
  const [{ data: inbox }] = useQuery({ query: InboxCountDocument, pause: isGuest })
  const places = [
    ['/inbox', inbox?.inboxCount ?? 0, frameWords.unread],
    ['/suggestions', data?.suggestions.totalCount ?? 0, frameWords.waiting],
  ] as const
  return Object.fromEntries(
    places.flatMap(([to, count, wordsOf]) => (count > 0 ? [[to, { count, words: wordsOf(numberText(count)) }]] : [])),
  )
}
