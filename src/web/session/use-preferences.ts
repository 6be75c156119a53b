// The preferences as the server has them, and changing them.

import { useMantineColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import type { Failure } from '../data/failure.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { MeDocument, UpdatePreferencesDocument } from '../generated/documents/session.ts'
import type { UpdatePreferencesMutationVariables } from '../generated/operations.ts'
import type { ColorScheme } from '../generated/schema.ts'
import { keepPreferences } from './preferences.ts'
import { type MeState, useMe } from './use-me.ts'

const schemes = { SYSTEM: 'auto', LIGHT: 'light', DARK: 'dark' } as const satisfies Record<ColorScheme, string>
export type Scheme = (typeof schemes)[ColorScheme]

const nameOf = (scheme: Scheme): ColorScheme => (scheme === 'auto' ? 'SYSTEM' : scheme === 'light' ? 'LIGHT' : 'DARK')

type Input = UpdatePreferencesMutationVariables['input']

interface Preferences {
  /** Null for guests, and until they are read. */
  preferences: NonNullable<MeState['me']>['preferences']
  failure: Failure | null
  change(input: Input): void
}

export function usePreferences(): Preferences {
  const { me } = useMe()
  const client = useClient()
  const { run, failure } = useMutationWithProblems(UpdatePreferencesDocument)
  // What was chosen and is not written yet. The next choice waits for the one before, because a write that runs takes no other.
  const [chosen, setChosen] = useState<Input>({})
  const last = useRef(Promise.resolve())
  const change = (input: Input) => {
    setChosen(before => ({ ...before, ...input }))
    const write = async () => {
      await run({ input })
      await client.query(MeDocument, {}, { requestPolicy: 'network-only' }).toPromise()
    }
    const written = last.current.then(write).then(() => {
      if (last.current === written) setChosen({})
    })
    last.current = written
  }
  const kept = me?.preferences ?? null
  return { preferences: kept && ({ ...kept, ...chosen } as typeof kept), failure, change }
}

/** The colours: pinned in this browser at once, and wherever else the person signs in. */
export function useColours(): { scheme: Scheme; choose(scheme: Scheme): void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { isGuest } = useMe()
  const { change } = usePreferences()
  const choose = (scheme: Scheme) => {
    setColorScheme(scheme)
    if (!isGuest) change({ colorScheme: nameOf(scheme) })
  }
  return { scheme: colorScheme, choose }
}

/** Takes over what the server has, which may have been changed elsewhere. */
export function useKeptPreferences(): void {
  const { me } = useMe()
  const { setColorScheme } = useMantineColorScheme()
  const preferences = me?.preferences
  useEffect(() => {
    if (preferences !== undefined) keepPreferences(preferences)
  }, [preferences])
  const scheme = preferences?.colorScheme
  useEffect(() => {
    if (scheme) setColorScheme(schemes[scheme])
  }, [scheme, setColorScheme])
}
