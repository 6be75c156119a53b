// Reads and changes the preferences on the server.

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
  /** Null for guests, and until the server has answered. */
  preferences: NonNullable<MeState['me']>['preferences']
  failure: Failure | null
  change(input: Input): void
}

export function usePreferences(): Preferences {
  const { me } = useMe()
  const client = useClient()
  const { run, failure } = useMutationWithProblems(UpdatePreferencesDocument)
  // Choices that are not written yet. Each write waits for the previous one, because a running mutation ignores another input.
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

/** The colour scheme. A choice applies to this browser at once, and to other browsers of the account. */
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

/** Applies the server's preferences, which another browser may have changed. */
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
