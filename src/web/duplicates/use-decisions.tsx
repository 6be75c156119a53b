// Decisions about pairs: merged, with an undo, or not the same.

import { useState } from 'react'
import type { Failure } from '../data/failure.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { announce } from '../keyboard/announce.tsx'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import { confirm } from '../pieces/confirm.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'
import type { MergedRecord, MergeKind } from './kind.ts'

export interface Decisions<Row> {
  merge(winner: Row, loser: Row, fields: object): Promise<void>
  /** Asks first, because a dismissal cannot be undone. */
  dismiss(one: Row, other: Row): void
  /** Whether the pair was decided on this page. The list may still name it. */
  isDecided(one: string, other: string): boolean
  isRunning: boolean
  failure: Failure | null
}

const keyOf = (one: string, other: string) => [one, other].toSorted().join(' ')

/** `onDecided` is called before the pair leaves the list. */
export function useDecisions<Row extends MergedRecord>(
  kind: MergeKind<Row>,
  onDecided: (one: string, other: string) => void,
): Decisions<Row> {
  const { words, nameOf } = kind
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const merging = useMutationWithProblems(kind.merge)
  const undoing = useMutationWithProblems(kind.undo)
  const dismissing = useMutationWithProblems(kind.dismiss)

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
      offerUndo(words.merged(nameOf(data.merged.winner)), async () => {
        const { failure } = await undoing.run({ input: { mergeId: data.merged.mergeId } })
        if (failure) return tellRefusal(duplicateWords.notUndone, failure)
        bringBack(winner.id, loser.id)
        announce(duplicateWords.undone)
      })
    },
    dismiss(one, other) {
      merging.clear()
      confirm({
        title: words.askDismiss,
        loses: duplicateWords.dismissLoses(nameOf(one), nameOf(other)),
        verb: duplicateWords.keepBoth,
        onConfirm: async () => {
          // `as`: of the two names, the input of the noun has one.
          const input = { [kind.idName]: one.id, otherId: other.id } as { contactId: string; companyId: string; otherId: string }
          const { data } = await dismissing.run({ input })
          if (!data) return
          leave(one.id, other.id)
          announce(words.bothStay)
        },
      })
    },
    isDecided: (one, other) => decided.has(keyOf(one, other)),
    isRunning: merging.isRunning || dismissing.isRunning,
    failure: merging.failure ?? dismissing.failure,
  }
}
