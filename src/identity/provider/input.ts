// What no request to the identity provider may hold: its library believes most of what it is sent, and stores it as it is.

import { examine } from '../json-input.ts'

// Tokens of other providers are the longest honest texts.
const maxTextLength = 8192
const maxLevels = 10
/** Characters of what a user may choose freely. */
const maxLengths = { name: 200, image: 2000 }

/** What is wrong with the request, as a sentence; null when nothing is. Malformed JSON is for the library to refuse. */
export function faultInRequest(url: string, body: string): string | null {
  if (/%00/.test(url)) return 'The address must not contain %00'
  const value = parsed(body)
  const { faults, isTooDeep } = examine(value, { levels: maxLevels, textLength: maxTextLength })
  if (isTooDeep) return `The body is nested more than ${maxLevels} levels deep`
  const [fault] = faults
  if (fault) return `${fault.path.join('.').slice(0, 200) || 'The body'} cannot be taken: ${fault.reason}`
  if (value === null || typeof value !== 'object') return null
  for (const [field, length] of Object.entries(maxLengths)) {
    const given: unknown = Reflect.get(value, field)
    if (given != null && !(typeof given === 'string' && given.length <= length))
      return `${field} must be a text of at most ${length} characters`
  }
  return null
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
