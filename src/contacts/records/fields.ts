// Readers of field values that all records have.

import { countries } from '../../kernel/countries.ts'
import { bounded, invalidValue, type Read, text, tooLong } from '../../kernel/input/fields.ts'
import { at, Invalid } from '../../kernel/input/problem.ts'

export const country = text(64, input => {
  const code = input.toUpperCase()
  return countries.has(code) ? code : invalidValue(input, 'it is not a country code of ISO 3166-1 alpha-2')
})

const maxTags = 50
const maxTag = 64
export const tag = text(maxTag)

/** Trimmed tags in the given order, without duplicates and empty tags. */
export const tags: Read<readonly string[], string[]> = bounded(maxTag, (input: readonly string[]) => {
  // Duplicates and empty tags do not count towards the limit, but a longer list is refused before it is read.
  if (input.length > 4 * maxTags) return tooManyTags(input)
  const read = input.map(tag)
  const problems = read.flatMap((result, index) => (result instanceof Invalid ? at(index, result) : []))
  if (problems.length > 0) return new Invalid(problems)
  const unique = [...new Set(read.filter(result => typeof result === 'string'))]
  return unique.length > maxTags ? tooManyTags(unique) : unique
})

export const fitTags = (list: readonly string[]) => list.length <= maxTags
export const tooManyTags = (input: readonly string[]): Invalid => tooLong(input, maxTags)
