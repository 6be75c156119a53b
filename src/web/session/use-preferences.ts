// Reads and changes the preferences on the server.

import { useMantineColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import type { Failure } from '../data/failure.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { MeDocument, UpdatePreferencesDocument } from '../generated/documents/session.ts'
import type { UpdatePreferencesMutationVariables } from '../generated/operations.ts'
import type { AppLanguage, ColorScheme } from '../generated/schema.ts'
import { chooseLanguage, type Language } from '../language/language.ts'
import { keepPreferences } from './preferences.ts'
import { type MeState, useMe } from './use-me.ts'

const schemes = { SYSTEM: 'auto', LIGHT: 'light', DARK: 'dark' } as const satisfies Record<ColorScheme, string>
export type Scheme = (typeof schemes)[ColorScheme]

const nameOf = (scheme: Scheme): ColorScheme => (scheme === 'auto' ? 'SYSTEM' : scheme === 'light' ? 'LIGHT' : 'DARK')

const languages = { EN: 'en', DE: 'de' } as const satisfies Record<AppLanguage, Language>

type Input = UpdatePreferencesMutationVariables['input']

interface Preferences {
  /** Null for guests, and until the server has answered. */
  preferences: NonNullable<MeState['me']>['preferences']
  failure: Failure | null
  /** Resolves with whether the server has written it. */
  change(input: Input): Promise<boolean>
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
      const { failure } = await run({ input })
      await client.query(MeDocument, {}, { requestPolicy: 'network-only' }).toPromise()
      return failure === null
    }
    const written = last.current.then(write)
    const settled = written.then(() => {
      if (last.current === settled) setChosen({})
    })
    last.current = settled
    return written
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
    if (!isGuest) void change({ colorScheme: nameOf(scheme) })
  }
  return { scheme: colorScheme, choose }
}

/** The choice of the language. It is written before the page is loaded again, which reads it. */
export function useLanguageChoice({ change }: Preferences): (next: Language) => void {
  const { isGuest } = useMe()
  return next => {
    if (isGuest) return chooseLanguage(next)
    void change({ language: next === 'de' ? 'DE' : 'EN' }).then(isWritten => isWritten && chooseLanguage(next))
  }
}

/** Applies the server's preferences, which another browser may have changed. */
export function useKeptPreferences(): void {
  const { me } = useMe()
  const { setColorScheme } = useMantineColorScheme()
  const preferences = me?.preferences
  useEffect(() => {
    if (preferences !== undefined) keepPreferences(preferences)
  }, [preferences])
  // Only the first answer: a page that somebody works on is not loaded again by another browser's choice.
  const isFirst = useRef(true)
  useEffect(() => {
    if (preferences === undefined || !isFirst.current) return
    isFirst.current = false
    if (preferences?.language) chooseLanguage(languages[preferences.language])
  }, [preferences])
  const scheme = preferences?.colorScheme
  useEffect(() => {
    if (scheme) setColorScheme(schemes[scheme])
  }, [scheme, setColorScheme])
}
