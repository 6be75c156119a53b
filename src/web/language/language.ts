// The language of the app. English is loaded with the pages that show it. Another language is one part with all its words: it is loaded before
// the first page, and written over the English words. Another choice loads the page again, so words may be read at any time, without hooks.
//
// English is the default, whatever the browser's language: the members of a team talk about the same labels, and guides and API are English.

import { loadPart } from '../app/loaded.ts'

export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

/** The same words in another language: each text and each sentence has one, or TypeScript names it. */
export type Translation<Words> = {
  readonly [Name in keyof Words]: Words[Name] extends string
    ? string
    : Words[Name] extends (...values: never[]) => unknown
      ? Words[Name]
      : Translation<Words[Name]>
}

type Table = { [name: string]: unknown }

const key = 'rolocom.language'
const english = new Map<string, Table>()
let translated: Readonly<Record<string, object>> = {}

export const language: Language = read()

/** The language with the region that the browser prefers, such as `en-GB`, for dates and numbers. */
export const locale: string = navigator.languages.find(one => one.split('-')[0] === language) ?? language

/** Declares the English words of a part of the app. Read them when they are shown, and not while the entry is loaded. */
export function room<const Words extends object>(name: string, words: Words): Widened<Words> {
  english.set(name, words as Table)
  write(words as Table, translated[name] as Table | undefined)
  return words as unknown as Widened<Words>
}

/** Loads the words of the chosen language. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language
  if (language === 'en') return
  translated = (await loadPart(() => import('./de/german.ts'))).german
  for (const [name, words] of english) write(words, translated[name] as Table | undefined)
}

/** Keeps the choice in this browser, and loads the page again if it is another one. session/use-preferences.ts keeps it with the account. */
export function chooseLanguage(next: Language): void {
  if (next === language) return
  try {
    localStorage.setItem(key, next)
    location.reload()
  } catch {
    // The browser forbids storage: the page stays English.
  }
}

// Texts of any length, not the one text that TypeScript reads.
type Widened<Words> = {
  readonly [Name in keyof Words]: Words[Name] extends string
    ? string
    : Words[Name] extends (...values: never[]) => unknown
      ? Words[Name]
      : Widened<Words[Name]>
}

function write(into: Table, from: Table | undefined): void {
  for (const [name, value] of Object.entries(from ?? {}))
    if (typeof value === 'object' && value !== null) write(into[name] as Table, value as Table)
    else into[name] = value
}

function read(): Language {
  try {
    return localStorage.getItem(key) === 'de' ? 'de' : 'en'
  } catch {
    return 'en'
  }
}
