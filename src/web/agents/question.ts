// Answers that an agent finds out in a conversation: rows for people, and the fields of the API.

import { contactFields } from '../contact-record/fields/fields.ts'
import { fieldLabel } from '../language/values.ts'

export type QuestionKind = 'text' | 'number' | 'yesNo' | 'choice'

export interface Question {
  /** "Job title". The API's name is made of it. */
  name: string
  kind: QuestionKind
  /** Of a choice. */
  options: readonly string[]
  /** More about it, for the agent. */
  help: string
  /** The name and type that the API has for it already. */
  stored?: { key: string; type: string }
}

const kinds: Readonly<Record<string, QuestionKind>> = { string: 'text', number: 'number', integer: 'number', boolean: 'yesNo' }
const types: Readonly<Record<QuestionKind, string>> = { text: 'string', number: 'number', yesNo: 'boolean', choice: 'string' }

export const emptyQuestion: Question = { name: '', kind: 'text', options: [], help: '' }

export function questionsOf(extraction: Readonly<Record<string, unknown>>): Question[] {
  return Object.entries(extraction).map(([key, given]) => {
    const field = (typeof given === 'object' && given !== null ? given : {}) as { type?: string; description?: string; enum?: unknown[] }
    const { type = 'string', description = '', enum: values } = field
    const kind = values ? 'choice' : (kinds[type] ?? 'text')
    return { name: fieldLabel(key), kind, options: (values ?? []).map(String), help: description, stored: { key, type } }
  })
}

export function extractionOf(questions: readonly Question[]): Record<string, unknown> {
  return Object.fromEntries(
    questions
      .filter(({ name }) => name.trim() !== '')
      .map(question => {
        const { kind, options, help, stored } = question
        // A whole number stays one, and so do choices of numbers.
        const isAsStored = stored && (kinds[stored.type] === kind || (kind === 'choice' && stored.type !== 'boolean'))
        const type = isAsStored ? stored.type : types[kind]
        const values = type === 'string' ? options : options.map(Number)
        return [
          keyOf(question),
          { type, ...(help.trim() !== '' && { description: help.trim() }), ...(kind === 'choice' && { enum: values }) },
        ]
      }),
  )
}

export function problemOfQuestions(questions: readonly Question[]): string | null {
  const named = questions.filter(({ name }) => name.trim() !== '')
  const unreadable = named.find(question => keyOf(question) === '')
  if (unreadable) return `Name "${unreadable.name}" with Latin letters`
  const keys = named.map(keyOf)
  const twice = named.find((question, index) => keys.indexOf(keyOf(question)) !== index)
  if (twice) return `"${twice.name}" is there twice`
  const empty = named.find(({ kind, options }) => kind === 'choice' && options.length === 0)
  return empty ? `Add the choices of "${empty.name}"` : null
}

/** The API's name, such as `job_title`: 63 letters, digits and underscores, beginning with a letter. */
function keyOf({ name, stored }: Question): string {
  if (stored && fieldLabel(stored.key) === name) return stored.key
  // The name of a contact's field means that field, so that its value is suggested there.
  const field = contactFields.find(({ label }) => label.toLowerCase() === name.trim().toLowerCase())
  if (field) return field.id.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, 63)
}
