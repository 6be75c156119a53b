// Decisions of the queue. Each waits ten seconds before it is sent: the API cannot undo a decision, so an undo must come before the request.

import { notifications } from '@mantine/notifications'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import { type Failure, failureOf } from '../data/failure.ts'
import { newId } from '../data/new-id.ts'
import { AcceptSuggestionDocument, RejectSuggestionDocument } from '../generated/documents/suggestions.ts'
import type { SuggestionCardFragment } from '../generated/operations.ts'
import { suggestionWords } from '../language/en/screens/suggestions.ts'
import { fieldLabel } from '../language/values.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { beforeSignOut } from '../session/sign-out.ts'
import { undoToast } from './undo-toast.tsx'

export type Decision = 'ACCEPT' | 'REJECT'

interface Held {
  suggestion: SuggestionCardFragment
  decision: Decision
  timer: ReturnType<typeof setTimeout>
}

export interface Decisions {
  decide(suggestion: SuggestionCardFragment, decision: Decision): void
  /** Undoes the last decision that was not sent yet, and returns its suggestion. */
  undo(): SuggestionCardFragment | null
  /** Whether the suggestion was decided here, and has left the queue. */
  isDecided(id: string): boolean
  count: number
  failures: ReadonlyMap<string, Failure>
}

const undoMs = 10_000

export function useDecisions(onUndone: (suggestion: SuggestionCardFragment) => void): Decisions {
  const client = useClient()
  const held = useRef(new Map<string, Held>())
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = useState<ReadonlyMap<string, Failure>>(new Map())
  const undone = useRef(onUndone)
  undone.current = onUndone

  const putBack = useCallback((id: string) => setDecided(before => new Set([...before].filter(one => one !== id))), [])

  const send = useCallback(
    async ({ suggestion, decision, timer }: Held, keepalive = false) => {
      clearTimeout(timer)
      held.current.delete(suggestion.id)
      const document = decision === 'ACCEPT' ? AcceptSuggestionDocument : RejectSuggestionDocument
      const context = { idempotencyKey: newId(), keepalive }
      const { error } = await client.mutation<unknown, object>(document, { input: { id: suggestion.id } }, context).toPromise()
      if (!error) return
      const failure = failureOf(error)
      setFailures(before => new Map(before).set(suggestion.id, failure))
      putBack(suggestion.id)
      tellRefusal(suggestionWords.notDecided(fieldLabel(suggestion.field)), failure)
    },
    [client, putBack],
  )

  const undo = useCallback(() => {
    const last = [...held.current.values()].at(-1)
    if (!last) return null
    clearTimeout(last.timer)
    held.current.delete(last.suggestion.id)
    putBack(last.suggestion.id)
    notifications.hide(undoToast.id)
    undone.current(last.suggestion)
    return last.suggestion
  }, [putBack])

  const decide = (suggestion: SuggestionCardFragment, decision: Decision) => {
    if (held.current.has(suggestion.id)) return
    const timer = setTimeout(() => {
      const due = held.current.get(suggestion.id)
      if (due) void send(due)
    }, undoMs)
    held.current.set(suggestion.id, { suggestion, decision, timer })
    setDecided(before => new Set(before).add(suggestion.id))
    setFailures(before => new Map([...before].filter(([id]) => id !== suggestion.id)))
    undoToast.show(sentence(suggestion, decision), undo, undoMs)
  }

  useEffect(() => {
    const sendAll = (isLeaving: boolean) => Promise.all([...held.current.values()].map(one => send(one, isLeaving)))
    const leave = () => void sendAll(true)
    window.addEventListener('pagehide', leave)
    const stay = beforeSignOut(() => sendAll(false))
    return () => {
      window.removeEventListener('pagehide', leave)
      stay()
      notifications.hide(undoToast.id)
      void sendAll(false)
    }
  }, [send])

  return { decide, undo, isDecided: id => decided.has(id), count: decided.size, failures }
}

function sentence({ field, contact }: SuggestionCardFragment, decision: Decision): string {
  return suggestionWords.done(fieldLabel(field), contact?.fullName ?? null, decision === 'ACCEPT')
}
