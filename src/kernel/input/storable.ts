// Text and JSON that PostgreSQL can store: without NUL characters and lone surrogates.

/** Why a text cannot be stored and returned unchanged, as a sentence about `subject`; null when it can. */
export function storageFault(text: string, subject = 'the text'): string | null {
  if (text.includes('\0')) return 'NUL characters are not allowed'
  if (!text.isWellFormed()) return `${subject} holds half of a surrogate pair, which is not Unicode`
  return null
}

/** Whether all texts and member names of a JSON value can be stored and returned unchanged. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return storageFault(value) === null
  if (Array.isArray(value)) return value.every(isStorable)
  if (value === null || typeof value !== 'object') return true
  return Object.entries(value).every(entry => entry.every(isStorable))
}

export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The JSON value with `storableText` applied to all texts and member names. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storableJson)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storableJson(member)]))
}
