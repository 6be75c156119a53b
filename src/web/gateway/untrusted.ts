// Finds the text from outside in what an agent was given: the server encloses it in markers with a random id.

export interface Part {
  /** Whose text it is; null for the operator's own. */
  source: string | null
  text: string
}

// The id at the end is the one of the beginning: a forged end has another.
const marked = /<<<UNTRUSTED source="([^"]*)" id=([\da-f]+)>>>\n?([\s\S]*?)\n?<<<END UNTRUSTED id=\2>>>/g

export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of text.matchAll(marked)) {
    parts.push({ source: null, text: text.slice(end, match.index) }, { source: match[1] ?? '', text: match[3] ?? '' })
    end = match.index + match[0].length
  }
  parts.push({ source: null, text: text.slice(end) })
  return parts.filter(part => part.source !== null || part.text.trim() !== '')
}
