// The verdict of the call policy on a call before it is placed: a dry run of the call, repeated when the form changes.

import { useEffect, useState } from 'react'
import { useClient } from 'urql'
import { type Failure, failureOf } from '../data/failure.ts'
import { TryCallDocument } from '../generated/documents/call-form.ts'
import type { TryCallMutationVariables } from '../generated/operations.ts'

export type Verdict =
  | { kind: 'checking' }
  | { kind: 'allowed'; at: string; reason: string | null; timezone: string | null; creditsReserved: number | null }
  | { kind: 'refused'; reason: string | null }
  | { kind: 'failed'; failure: Failure }

// Waits for a pause in the typing: each question is a dry run of a write.
const typingMs = 350

/** Null while the form is incomplete. */
export function useVerdict(input: TryCallMutationVariables['input'] | null): Verdict | null {
  const client = useClient()
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const key = input && JSON.stringify(input)
  useEffect(() => {
    if (key === null) return setVerdict(null)
    let isCurrent = true
    const timer = setTimeout(async () => {
      setVerdict({ kind: 'checking' })
      const { error, extensions } = await client.mutation(TryCallDocument, { input: JSON.parse(key) }).toPromise()
      if (isCurrent) setVerdict(error ? { kind: 'failed', failure: failureOf(error) } : verdictIn(extensions))
    }, typingMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, key])
  return verdict
}

/** Reads `extensions.dryRun`, which `src/kernel/context.ts` describes. Null when the server reports no call policy. */
function verdictIn(extensions: Record<string, unknown> | undefined): Verdict | null {
  const { policy, creditsReserved } = objectOf(extensions?.dryRun)
  const { isAllowed, at, reason, timezone } = objectOf(policy)
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
  const why = textOf(reason)
  if (isAllowed === false) return { kind: 'refused', reason: why }
  if (typeof at !== 'string') return null
  const reserved = typeof creditsReserved === 'number' ? creditsReserved : null
  return { kind: 'allowed', at, reason: why, timezone: textOf(timezone), creditsReserved: reserved }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
