// Mutations of forms and buttons: written once however often they are clicked, with an Idempotency-Key that a retry keeps.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useCallback, useRef, useState } from 'react'
import { useClient } from 'urql'
import { type Failure, failureOf } from './failure.ts'
import { newId } from './new-id.ts'

export type Outcome<Data> = { data: Data; failure: null } | { data: null; failure: Failure }

export interface Write<Data, Variables> {
  /** Never rejects. A call while a write runs returns the outcome of the running one. */
  run(variables: Variables): Promise<Outcome<Data>>
  isRunning: boolean
  /** The failure of the last run; null when another run has begun. */
  failure: Failure | null
  clear(): void
}

// Codes after which the same request may succeed a moment later. It is repeated with the same key, so nothing is written twice.
const waitsFor = new Set(['IDEMPOTENCY_IN_FLIGHT', 'UNAVAILABLE'])
const maxAttempts = 3

export function useMutationWithProblems<Data, Variables extends object>(
  document: TypedDocumentNode<Data, Variables>,
): Write<Data, Variables> {
  const client = useClient()
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const running = useRef<Promise<Outcome<Data>> | null>(null)
  // The key belongs to what was sent: after a change of the form it is another submission.
  const submission = useRef({ input: '', key: '' })

  const run = useCallback(
    (variables: Variables) => {
      if (running.current) return running.current
      const input = JSON.stringify(variables)
      if (submission.current.input !== input) submission.current = { input, key: newId() }
      const idempotencyKey = submission.current.key
      const attempt = async (left: number): Promise<Outcome<Data>> => {
        const { data, error } = await client.mutation(document, variables, { idempotencyKey }).toPromise()
        if (!error && data) return { data, failure: null }
        const failed = error ? failureOf(error) : failureOf({ graphQLErrors: [{ message: 'The answer was empty' }] } as never)
        if (left <= 1 || !waitsFor.has(failed.code)) return { data: null, failure: failed }
        await new Promise(resolve => setTimeout(resolve, (failed.retryAfter ?? 1) * 1000))
        return attempt(left - 1)
      }
      setRunning(true)
      setFailure(null)
      const promise = attempt(maxAttempts).then(outcome => {
        running.current = null
        setRunning(false)
        setFailure(outcome.failure)
        // It is written. The same input sent again is a new write.
        if (!outcome.failure) submission.current = { input: '', key: '' }
        return outcome
      })
      running.current = promise
      return promise
    },
    [client, document],
  )
  const clear = useCallback(() => setFailure(null), [])
  return { run, isRunning, failure, clear }
}
