// The languages of the interviewer.

import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { Sentences } from './sentences.ts'

const all = { de, en, es, fr }

/** The sentences of a language; in English for a language that the interviewer does not speak. */
export function sentencesIn(language: string | null): Sentences {
  const name = (language ?? 'en').slice(0, 2).toLowerCase()
  return Object.hasOwn(all, name) ? all[name as keyof typeof all] : en
}
