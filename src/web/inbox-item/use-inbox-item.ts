// Finishes, reopens and snoozes an inbox item. Each can be undone.

import { useMemo } from 'react'
import { type Client, useClient } from 'urql'
import { failureOf } from '../data/failure.ts'
import { newId } from '../data/new-id.ts'
import { UpdateInboxItemDocument } from '../generated/documents/inbox-item.ts'
import type { UpdateInboxItemMutationVariables } from '../generated/operations.ts'
import { inboxWords } from '../language/en/inbox.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'
import { exact } from '../pieces/time.tsx'
import type { InboxRow } from './sentence.ts'

type Change = Omit<UpdateInboxItemMutationVariables['input'], 'id'>

export function useInboxItem() {
  const client = useClient()
  return useMemo(
    () => ({
      /** Finishes an open or snoozed item, and reopens a finished one. */
      finish(item: InboxRow): void {
        const isDone = item.inboxState === 'DONE'
        const back: Change = item.snoozedUntil ? { done: false, snoozedUntil: item.snoozedUntil } : { done: false }
        void write(client, item, { done: !isDone }, isDone ? inboxWords.reopened : inboxWords.finished, isDone ? { done: true } : back)
      },
      /** Finishes or reopens an item together with its subject, whose own notice offers to undo it. */
      follow(item: InboxRow, isDone: boolean): void {
        void write(client, item, { done: isDone }, null)
      },
      snooze(item: InboxRow, until: Date): void {
        const snoozedUntil = until.toISOString()
        void write(client, item, { snoozedUntil }, inboxWords.snoozed(exact(snoozedUntil)), { snoozedUntil: null })
      },
      wake(item: InboxRow): void {
        void write(client, item, { snoozedUntil: null }, inboxWords.reopened, { snoozedUntil: item.snoozedUntil })
      },
    }),
    [client],
  )
}

/** Without a sentence no notice offers to undo it. */
async function write(client: Client, { id }: Pick<InboxRow, 'id'>, change: Change, sentence: string | null, back?: Change): Promise<void> {
  const input = { id, ...change }
  const { error } = await client.mutation(UpdateInboxItemDocument, { input }, { idempotencyKey: newId() }).toPromise()
  if (error) return tellRefusal(inboxWords.notChanged, failureOf(error))
  if (sentence !== null && back) offerUndo(sentence, () => void write(client, { id }, back, null))
}
