// Finds text from outside in the messages to an assistant: the server encloses it in markers with a random id.

export interface Part {
  /** The source of the text; null for the operator's own text. */
  source: string | null
  text: string
}

const marker = /<<<(END )?UNTRUSTED(?: source="([^"<]{0,200})")? id=([\da-f]{1,64})>>>/g

export function partsOf(text: string): Part[] {
  const markers = [...text.matchAll(marker)].map(({ 0: whole, 1: isEnd, 2: source, 3: id = '', index }) => ({
    ...{ isEnd: isEnd !== undefined, source, id, from: index, to: index + whole.length },
  }))
  // The end must have the id of the beginning: a text from outside cannot know the id, so it cannot forge an end.
  const ends = new Map(markers.flatMap(({ isEnd, id, from }) => (isEnd ? [[id, from]] : [])))
  const parts: Part[] = []
  let open: (typeof markers)[number] | undefined
  let done = 0
  for (const one of markers) {
    if (!open && !one.isEnd && one.source !== undefined && (ends.get(one.id) ?? 0) > one.from) {
      parts.push({ source: null, text: text.slice(done, one.from) })
      open = one
    } else if (open && one.isEnd && one.id === open.id) {
      parts.push({ source: open.source ?? '', text: text.slice(open.to, one.from).replace(/^\n/, '').replace(/\n$/, '') })
      done = one.to
      open = undefined
    }
  }
  parts.push({ source: null, text: text.slice(done) })
  return parts.filter(part => part.source !== null || part.text.trim() !== '')
}
