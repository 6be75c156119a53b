// Decisions about pairs: merged, with an undo, or not the same person.

import { useState } from 'react'
import { type Contact, nameOf } from '../contact-record/fields/fields.ts'
import type { Failure } from '../data/failure.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { DismissDuplicateDocument, MergeContactsDocument, UndoMergeDocument } from '../generated/documents/duplicates.ts'
import type { MergeFieldsInput } from '../generated/operations.ts'
import { announce } from '../keyboard/announce.tsx'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import { confirm } from '../pieces/confirm.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'

export interface Decisions {
  merge(winner: Contact, loser: Contact, fields: MergeFieldsInput): Promise<void>
  /** Asks first, because a dismissal cannot be undone. */
  dismiss(contact: Contact, other: Contact): void
  /** Whether the pair was decided on this page. The list may still name it. */
  isDecided(one: string, other: string): boolean
  isRunning: boolean
  failure: Failure | null
}

const keyOf = (one: string, other: string) => [one, other].toSorted().join(' ')

/** `onDecided` is called before the pair leaves the list. */
export function useDecisions(onDecided: (one: string, other: string) => void): Decisions {
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const merging = useMutationWithProblems(MergeContactsDocument)
  const undoing = useMutationWithProblems(UndoMergeDocument)
  const dismissing = useMutationWithProblems(DismissDuplicateDocument)

  const leave = (one: string, other: string) => {
    onDecided(one, other)
    setDecided(before => new Set(before).add(keyOf(one, other)))
  }
  const bringBack = (one: string, other: string) => setDecided(before => new Set([...before].filter(key => key !== keyOf(one, other))))

  return {
    async merge(winner, loser, fields) {
      dismissing.clear()
      const { data } = await merging.run({ input: { winnerId: winner.id, loserId: loser.id, fields } })
      if (!data) return
      leave(winner.id, loser.id)
      offerUndo(duplicateWords.merged(nameOf(data.mergeContacts.winner)), async () => {
        const { failure } = await undoing.run({ input: { mergeId: data.mergeContacts.mergeId } })
        if (failure) return tellRefusal(duplicateWords.notUndone, failure)
        bringBack(winner.id, loser.id)
        announce(duplicateWords.undone)
      })
    },
    dismiss(contact, other) {
      merging.clear()
      confirm({
        title: duplicateWords.dismiss.title,
        loses: duplicateWords.dismiss.loses(nameOf(contact), nameOf(other)),
        verb: duplicateWords.dismiss.verb,
        onConfirm: async () => {
          const { data } = await dismissing.run({ input: { contactId: contact.id, otherId: other.id } })
          if (!data) return
          leave(contact.id, other.id)
          announce(duplicateWords.dismiss.done)
        },
      })
    },
    isDecided: (one, other) => decided.has(keyOf(one, other)),
    isRunning: merging.isRunning || dismissing.isRunning,
    failure: merging.failure ?? dismissing.failure,
  }
}
