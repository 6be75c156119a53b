// Mutations of forms and buttons. Many clicks write once, and a retry repeats the Idempotency-Key.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { useCallback, useRef, useState } from 'react'
import { useClient } from 'urql'
import { type Failure, failureOf } from './failure.ts'
import { newId } from './new-id.ts'

export type Outcome<Data> = { data: Data; failure: null } | { data: null; failure: Failure }

export interface Write<Data, Variables> {
  /** Never rejects. While a run is in progress, another call returns the same promise. */
  run(variables: Variables): Promise<Outcome<Data>>
  isRunning: boolean
  /** The failure of the last run; null after the next run has begun. */
  failure: Failure | null
  clear(): void
}

// These failures may pass by themselves. Another attempt has the same key, so nothing is written twice.
const waitsFor = new Set(['IDEMPOTENCY_IN_FLIGHT', 'UNAVAILABLE'])
const maxAttempts = 3

export function useMutationWithProblems<Data, Variables extends object>(
  document: TypedDocumentNode<Data, Variables>,
): Write<Data, Variables> {
  const client = useClient()
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const running = useRef<Promise<Outcome<Data>> | null>(null)
  // A key belongs to one input: a changed form is a new submission.
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
        // After a success the same input may be sent again on purpose, with a new key.
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
