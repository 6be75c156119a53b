// The media type of a body, as its Content-Type header names it. Every door that reads a body asks here.

interface MediaType {
  /** In lower case and without parameters: `application/json`. Empty for a header that names none. */
  type: string
  /** In lower case and without quotes; null without one. */
  charset: string | null
}

// A quoted value may hold a semicolon.
const parameter = /;\s*(?:([^\s=;"]+)\s*=\s*("[^"]*"|[^;"]*))?/g

/** Reads a Content-Type header. Empty parameters, such as after `application/json;`, and unknown ones are left out. */
export function mediaTypeOf(header: string | undefined): MediaType {
  const [type = ''] = (header ?? '').split(';', 1)
  let charset: string | null = null
  for (const [, name, value = ''] of (header ?? '').slice(type.length).matchAll(parameter))
    if (name?.toLowerCase() === 'charset')
      charset ??= value
        .trim()
        .replace(/^["']|["']$/g, '')
        .toLowerCase()
  return { type: type.trim().toLowerCase(), charset }
}

// `application/merge-patch+json` too.
const json = /^application\/(?:[\w.-]+\+)?json$/
// JSON is UTF-8 (RFC 8259), and ASCII is a part of it. Many clients write `utf8`, which is no registered name.
const utf8 = new Set(['', 'utf-8', 'utf8', 'us-ascii', 'ascii'])

/** Whether the body is JSON in UTF-8. A page of another site cannot send such a type without asking first (CORS). */
export function isJsonType(header: string | undefined): boolean {
  if (header === 'application/json') return true
  const { type, charset } = mediaTypeOf(header)
  return json.test(type) && utf8.has(charset ?? '')
}
