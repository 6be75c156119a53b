// Reads and changes the person's preferences for inbox items. A choice shows at once; each write waits for the previous one.

import { useRef, useState } from 'react'
import { useClient } from 'urql'
import { type Failure, failureOf } from '../../data/failure.ts'
import { newId } from '../../data/new-id.ts'
import { type Read, useRead } from '../../data/use-read.ts'
import { InboxPreferencesDocument, UpdateInboxPreferencesDocument } from '../../generated/documents/settings-notifications.ts'
import type {
  InboxPreferencesFragment,
  InboxPreferencesQuery,
  UpdateInboxPreferencesMutationVariables,
} from '../../generated/operations.ts'

type Change = UpdateInboxPreferencesMutationVariables['input']

interface Preferences {
  read: Read<InboxPreferencesQuery>
  preferences: InboxPreferencesFragment | undefined
  failure: Failure | null
  change(change: Change): void
}

export function useInboxPreferences(isOn: boolean): Preferences {
  const client = useClient()
  const read = useRead(InboxPreferencesDocument, {}, { isOn, isFresh: true })
  const [chosen, setChosen] = useState<readonly Change[]>([])
  const [failure, setFailure] = useState<Failure | null>(null)
  const last = useRef(Promise.resolve())
  const change = (input: Change) => {
    setChosen(before => [...before, input])
    setFailure(null)
    last.current = last.current.then(async () => {
      const { error } = await client.mutation(UpdateInboxPreferencesDocument, { input }, { idempotencyKey: newId() }).toPromise()
      if (error) setFailure(failureOf(error))
      await client.query(InboxPreferencesDocument, {}, { requestPolicy: 'network-only' }).toPromise()
      setChosen(before => before.filter(one => one !== input))
    })
  }
  const stored = read.data?.inboxPreferences
  return { read, preferences: stored && chosen.reduce(withChange, stored), failure, change }
}

function withChange(before: InboxPreferencesFragment, { kinds, digestHour, ...ways }: Change): InboxPreferencesFragment {
  const given = Object.fromEntries(Object.entries(ways).filter(([, value]) => value != null))
  const isChosen = (kind: (typeof before.kinds)[number]['kind']) => !kinds || kinds.includes(kind)
  return {
    ...before,
    digestHour: digestHour ?? before.digestHour,
    kinds: before.kinds.map(one => (isChosen(one.kind) ? { ...one, ...given } : one)),
  }
}
