// Acknowledgments: `HEARTBEAT_OK` says that nobody needs to be told. A reply that is only one is not delivered, and no channel shows the word.

// 300 characters: enough for "HEARTBEAT_OK, all quiet since the last one", too little for news.
const maxOtherCharacters = 300

// With its emphasis and full stop, and a backslash that Markdown takes. HEARTBEAT_OKAY is another word.
const acknowledgment = /(?<!\w)[*_`~"']{0,3}HEARTBEAT\\?_OK[*_`~"']{0,3}[.!,;:]?(?!\w)/g
const withoutTags = (text: string) => text.replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
// Anything but punctuation, tags of HTML and what nobody sees.
const says = (text: string) => /[^\s\p{P}\p{Cf}`~>]/u.test(withoutTags(text))
// A line that the word had for itself, but for the number of a list, a symbol or the frame of a table.
const isBare = (line: string) => !/[\p{L}\p{N}]/u.test(withoutTags(line).replace(/^\s*\d{1,9}[.)]/, ''))
const emptyFence = /^[ \t]{0,20}(`{3,9}|~{3,9})[^\n`]{0,40}\n[ \t]{0,20}\1[ \t]{0,20}$/gm

/**
 * The part of a reply to deliver: null for an empty one, and for one that is only an acknowledgment: `HEARTBEAT_OK` at its start or end with at
 * most 300 other characters. Where the word has a line for itself, the other lines are news, however short they are.
 */
export function deliverable(reply: string): string | null {
  if (!says(reply)) return null
  const found = [...reply.matchAll(acknowledgment)]
  const [first, last] = [found[0], found.at(-1)]
  if (!first || !last) return reply
  const isAtEdge = !says(reply.slice(0, first.index)) || !says(reply.slice(last.index + last[0].length))
  const lines = reply.split('\n')
  const without = lines.map(line => line.replace(acknowledgment, ''))
  const rest = without.filter((line, index) => line === lines[index] || !isBare(line))
  const text = rest.join('\n').replace(emptyFence, '').trim()
  const isBesideLines = without.some((line, index) => line !== lines[index] && isBare(line))
  if (!says(text) || (isAtEdge && !isBesideLines && text.length <= maxOtherCharacters)) return null
  return text
}
