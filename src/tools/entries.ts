// Tools made of stored documents: names, descriptions and schemas come from the GraphQL schema, and so do their effects.

import { type DocumentNode, getOperationAST, Kind, type OperationDefinitionNode } from 'graphql'
import type { Tool } from '../gateway/models/runtime.ts'
import * as operations from '../generated/operations.ts'
import type { JsonSchema } from '../graphql/execute/json-schema.ts'
import { wireSchema } from '../graphql/execute/run.ts'
import { type Effect, effectOf } from '../graphql/schema/builder.ts'
import { authScopesOf, schema } from '../graphql/schema/root.ts'
import { snakeCase } from '../kernel/input/case.ts'
import { cutText } from '../kernel/input/cut.ts'
import type { Scope } from '../kernel/principal.ts'
import { inputSchemaOf } from './input-schema.ts'
import { outputSchemaOf } from './output-schema.ts'

export interface Entry extends Tool {
  /** The scope that a caller needs to see and call the tool. */
  scope: Scope
  /** JSON Schema of the answer, which is an object. */
  outputSchema: JsonSchema
  /** The effect of the tool; null for one that only reads. */
  effect: Effect | null
  /** Compiled when it is called first: compiling all of them takes a second. */
  document: DocumentNode
}

/** The tools by name: one for each stored document whose name begins with the prefix. */
export function entriesNamed(prefix: string): Map<string, Entry> {
  const documents = Object.entries(operations).flatMap(([name, document]) =>
    name.startsWith(prefix) && name.endsWith('Document') ? [document as DocumentNode] : [],
  )
  const entries = documents.map(document => entryOf(document, prefix))
  return new Map(entries.map(entry => [entry.name, entry]))
}

export const allows = (scopes: readonly string[], { scope }: Entry): boolean => scopes.includes('*') || scopes.includes(scope)

/** The first field of the input that the tool does not take, as a sentence; null when it takes them all. */
export function unknownField({ name, inputSchema }: Entry, input: object): string | null {
  const known = Object.keys(inputSchema.properties as object)
  const unknown = Object.keys(input).find(field => !known.includes(field))
  return unknown === undefined ? null : `${name} has no field "${cutText(unknown, 64)}"; its fields are ${known.join(', ') || 'none'}`
}

function entryOf(document: DocumentNode, prefix: string): Entry {
  const operation = getOperationAST(document)
  if (!operation) throw new Error(`${prefix}: a tool's document holds one operation`)
  const name = operation.name?.value ?? ''
  const field = rootFieldOf(operation)
  const scope = authScopesOf(field.extensions)?.scope
  if (scope === undefined) throw new Error(`${name}: a tool's field must be guarded by a scope`)
  const effect = effectOf(field) ?? null
  return {
    // FindContacts: _find_contacts, without the first underscore.
    name: snakeCase(name.slice(prefix.length)).slice(1),
    description: field.description ?? '',
    inputSchema: inputSchemaOf(wireSchema(), document, operation),
    outputSchema: outputSchemaOf(wireSchema(), document, operation),
    scope,
    effect,
    document,
  }
}

function rootFieldOf(operation: OperationDefinitionNode) {
  const [selection, ...others] = operation.selectionSet.selections
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  const field = selection?.kind === Kind.FIELD ? root?.getFields()[selection.name.value] : undefined
  if (!field || others.length > 0) throw new Error(`${operation.name?.value}: a tool asks for one root field`)
  return field
}
