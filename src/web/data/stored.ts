// Documents that the server stores. The page sends a document's hash in place of its text, and parses a document when the cache reads it.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'

interface Stored {
  id: string
  text: string
}

type Parse = (text: string) => TypedDocumentNode

const byName = new Map<string, Stored>()
let parse: Parse | null = null

/** Sets the parser. The pages before the sign-in do not need one: they send documents and do not read them. */
export function parseWith(parser: Parse): void {
  parse = parser
}

/** A document of `generated/documents` with the types of its result and variables. It is parsed at its first use. */
export function documentOf<Data, Variables>(name: string, id: string, text: string): TypedDocumentNode<Data, Variables> {
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
  // Guarantee: the parser returns the AST of graphql-js, which the browser does not load.
  return document as unknown as TypedDocumentNode<Data, Variables>
}

/** The hash and the text of an operation; undefined when no document has this name. */
export const storedOperation = (name: string): Stored | undefined => byName.get(name)

/** The name of a document's operation. It does not parse the document. */
export function nameOf<Data, Variables>(document: TypedDocumentNode<Data, Variables>): string {
  return 'name' in document && typeof document.name === 'string' ? document.name : ''
}
