// Documents stored by the server: known by the hash that is sent in place of their text, parsed where the cache reads them.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'

interface Stored {
  id: string
  text: string
}

type Parse = (text: string) => TypedDocumentNode

const byName = new Map<string, Stored>()
let parse: Parse | null = null

/** Gives the parser. The pages before signing in do without: they send documents and do not read them. */
export function parseWith(parser: Parse): void {
  parse = parser
}

/** A document of `generated/documents`, typed by what it answers and takes. It is parsed when it is first read. */
export function stored<Data, Variables>(name: string, id: string, text: string): TypedDocumentNode<Data, Variables> {
  byName.set(name, { id, text })
  let definitions: TypedDocumentNode['definitions'] | null = null
  const document = {
    kind: 'Document',
    get definitions() {
      if (!parse) throw new Error('The client of urql must be loaded before a document is read')
      definitions ??= parse(text).definitions
      return definitions
    },
    name,
  }
  // The types of the AST are those of graphql-js, which is not loaded in the browser.
  return document as unknown as TypedDocumentNode<Data, Variables>
}

/** The hash and the text of an operation; undefined for one that is not stored. */
export const storedOperation = (name: string): Stored | undefined => byName.get(name)

/** The name of a document's operation, without parsing it. */
export function nameOf<Data, Variables>(document: TypedDocumentNode<Data, Variables>): string {
  return 'name' in document && typeof document.name === 'string' ? document.name : ''
}
