// Reads XML as it arrives. Entities of the document's own are not expanded, so a small document stays small.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Parser } from 'htmlparser2'

export interface XmlHandler {
  /** `name` is without its namespace, in the document's case. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

// In characters: other requests get their turn between two pieces.
const pieceLength = 65_536

/** Calls the handler, and yields after each piece, so that a caller can take its results so far. */
export async function* readXml(bytes: AsyncIterable<Buffer>, { open, close, text }: XmlHandler): AsyncGenerator<void> {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(localName(name), attributes),
      onclosetag: name => close?.(localName(name)),
      ontext: part => text?.(part),
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    const decoded = decoder.decode(chunk, { stream: true })
    for (let from = 0; from < decoded.length; from += pieceLength) {
      parser.write(decoded.slice(from, from + pieceLength))
      yield
      await nextTurn()
    }
  }
  parser.end(decoder.decode())
  yield
}
