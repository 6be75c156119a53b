// The `object` of full webhook payloads: the noun as REST shows it.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import * as operations from '../../../generated/operations.ts'
import { run } from '../../../graphql/execute/run.ts'
import type { Context } from '../../../kernel/context.ts'
import { nounNamed } from '../../../kernel/nouns/nouns.ts'
import type { Documented } from '../../router/route.ts'
import { documentedAgent, documentedCall } from '../voice/routes.ts'

type ObjectDocument = TypedDocumentNode<{ result: unknown }, { id: string }>

// Fields that REST documents as never null, with the values that replace null. The contract has them for these types alone.
const documented: Readonly<Record<string, Documented>> = { VoiceAgent: documentedAgent, Call: documentedCall }

// The names of documents are their types, and each that is named `Webhook<Type>` has this form.
const documents = operations as unknown as Readonly<Record<string, ObjectDocument | undefined>>

/** The document that reads the object of an event of the noun, named `Webhook` and its type. Undefined: such events have no object. */
export function objectDocument(entity: string): ObjectDocument | undefined {
  const typename = nounNamed(entity)?.typename
  return typename ? documents[`Webhook${typename}Document`] : undefined
}

/** The object as the context's principal may read it now; null for one that is gone. */
export async function objectOf(context: Context, entity: string, id: string): Promise<unknown> {
  const document = objectDocument(entity)
  if (!document) return null
  const { result } = await run(document, { id }, context)
  if (result === null || typeof result !== 'object') return null
  const object: Record<string, unknown> = { ...result }
  const defaults = documented[nounNamed(entity)?.typename ?? ''] ?? {}
  for (const [field, unknown] of Object.entries(defaults)) if (object[field] === null) object[field] = unknown
  return object
}
