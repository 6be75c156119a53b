// Validates requests to the identity provider, because its library stores most input without checks.

import { cutText } from '../../kernel/input/cut.ts'
import { examine } from '../../kernel/input/json.ts'
import { OversizedJson, parseJson } from '../../kernel/input/json-text.ts'

// The longest legitimate strings are tokens of other providers.
const maxTextLength = 8192
const maxLevels = 10
/** The maximum length of fields with free text. */
const maxLengths = { name: 200, image: 2000 }

/** The problem of the request, as a sentence; null for a valid request. Malformed JSON is refused by the library. */
export function problemOfRequest(url: string, body: string): string | null {
  if (/%00/.test(url)) return 'The address must not contain %00'
  let value: unknown = null
  try {
    value = parseJson(body)
  } catch (error) {
    if (error instanceof OversizedJson) return `The body ${error.message}`
  }
  const { problems, isTooDeep } = examine(value, { levels: maxLevels, textLength: maxTextLength })
  if (isTooDeep) return `The body is nested more than ${maxLevels} levels deep`
  const [first] = problems
  if (first) return `${cutText(first.path.join('.'), 200) || 'The body'} cannot be taken: ${first.reason}`
  if (value === null || typeof value !== 'object') return null
  for (const [field, length] of Object.entries(maxLengths)) {
    const given: unknown = Reflect.get(value, field)
    if (given != null && !(typeof given === 'string' && given.length <= length))
      return `${field} must be a text of at most ${length} characters`
  }
  return null
}
