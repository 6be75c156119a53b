// Replies that say that there is nothing to say.

const token = 'HEARTBEAT_OK'
// Enough for "HEARTBEAT_OK, all quiet since the last one", too little for news.
const otherCharacters = 300

/** Whether a reply is only an acknowledgment: empty, or the token at its start or end with little else. */
export function isAcknowledgment(reply: string): boolean {
  const text = reply.replace(/^[\s*_`~"'#>-]+|[\s*_`~"'.!]+$/g, '')
  if (text === '') return true
  const rest = text.startsWith(token) ? text.slice(token.length) : text.endsWith(token) ? text.slice(0, -token.length) : null
  if (rest === null) return false
  // HEARTBEAT_OKAY is another word.
  const isWhole = text.startsWith(token) ? !/^\w/.test(rest) : !/\w$/.test(rest)
  return isWhole && rest.trim().length <= otherCharacters
}
