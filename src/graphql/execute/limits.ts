// Limits of documents. The shape is checked before validation, the cost before execution.

import {
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { AppError } from '../../kernel/errors.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { checkLiterals } from './values.ts'

/** Each limit is at least twice what the web app's documents need, and applies to every caller. */
export const limits = {
  /** Counted while parsing. Also bounds how deep the parser nests and how long comparing fields for conflicts takes. */
  tokens: 2000,
  depth: 12,
  aliases: 30,
  directives: 50,
  /** Fields with every fragment expanded. */
  fields: 2000,
  rootMutations: 10,
  /** In objects (see cost.ts). */
  cost: 5000,
  /**
   * The length of any name in characters. The operation's name is stored with every event, and an alias is repeated for each object of a
   * response.
   */
  name: 100,
} as const

export type Limits = Readonly<Record<keyof typeof limits, number>>

/** Limits for callers who are not verified: enough for a page of a demo, and for introspection. */
export const unverifiedLimits: Limits = { ...limits, tokens: 1000, depth: 10, aliases: 15, fields: 500, cost: 1000 }

const tooMuch = (limit: keyof Limits, { [limit]: maximum }: Limits, message: string) => new AppError('INVALID', message, { limit, maximum })

/** Parses a document within the limits. Throws a GraphQLError for a syntax error, an AppError when a limit is exceeded. */
export function parseWithin(text: string, limits: Limits): DocumentNode {
  let document: DocumentNode
  try {
    document = parse(text, { maxTokens: limits.tokens })
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes('tokens. Parsing aborted'))
      throw tooMuch('tokens', limits, `The document has more than ${limits.tokens} tokens`)
    // The parser is recursive: 2,000 nested brackets overflow the stack.
    if (error instanceof RangeError) throw tooMuch('tokens', limits, 'The document is nested too deeply')
    throw error
  }
  checkShape(document, limits)
  return document
}

interface Shape {
  roots: number
  depth: number
  aliases: number
  directives: number
  fields: number
}

function checkShape(document: DocumentNode, limits: Limits): void {
  visit(document, {
    Name({ value }) {
      if (value.length > limits.name)
        throw tooMuch('name', limits, `The name ${cutText(value, 20)}… is longer than ${limits.name} characters`)
    },
  })
  checkLiterals(document)
  const shapeOf = measure(document)
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const { roots, depth, aliases, directives, fields } = shapeOf(definition)
    if (depth > limits.depth) throw tooMuch('depth', limits, `The document nests fields ${depth} deep, more than ${limits.depth}`)
    if (aliases > limits.aliases) throw tooMuch('aliases', limits, `The document has more than ${limits.aliases} aliases`)
    if (directives > limits.directives) throw tooMuch('directives', limits, `The document has more than ${limits.directives} directives`)
    if (fields > limits.fields) throw tooMuch('fields', limits, `The document has more than ${limits.fields} fields`)
    if (definition.operation === 'mutation' && roots > limits.rootMutations)
      throw tooMuch('rootMutations', limits, `The document has more than ${limits.rootMutations} mutations`)
  }
}

// The usual introspection query nests 13 fields, so introspection is exempt from the depth limit. graphql-js limits its depth with a rule
// that aliases circumvent, so it may have no aliases.
const introspection: ReadonlySet<string> = new Set(['__schema', '__type'])

/** The number of fields of an operation with every fragment expanded. */
export const fieldCount = (document: DocumentNode, operation: OperationDefinitionNode): number => measure(document)(operation).fields

/** Measures definitions with every fragment expanded, visiting each fragment once. */
function measure(document: DocumentNode): (definition: DefinitionNode) => Shape {
  const nothing: Shape = { roots: 0, depth: 0, aliases: 0, directives: 0, fields: 0 }
  const fragments = new Map(
    document.definitions.flatMap(definition => (definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [])),
  )
  const measured = new Map<string, Shape>()

  const ofFragment = (name: string): Shape => {
    const known = measured.get(name)
    if (known) return known
    // Ends the recursion of cyclic fragments; validation refuses them with a clearer error.
    measured.set(name, nothing)
    const fragment = fragments.get(name)
    const shape = fragment ? ofSelections(fragment.selectionSet) : nothing
    measured.set(name, shape)
    return shape
  }
  const ofSelections = ({ selections }: SelectionSetNode): Shape => {
    const sum = { ...nothing }
    for (const selection of selections) {
      sum.directives += selection.directives?.length ?? 0
      let inner = nothing
      let isField = false
      if (selection.kind === Kind.FRAGMENT_SPREAD) inner = ofFragment(selection.name.value)
      else if (selection.selectionSet) inner = ofSelections(selection.selectionSet)
      if (selection.kind === Kind.FIELD) {
        isField = true
        sum.fields++
        if (selection.alias) sum.aliases++
        if (introspection.has(selection.name.value)) {
          if (selection.alias || inner.aliases > 0)
            throw new AppError('INVALID', 'Introspection takes no aliases', { limit: 'aliases', maximum: 0 })
          inner = { ...inner, depth: 0 }
        }
      }
      sum.roots += isField ? 1 : inner.roots
      sum.aliases += inner.aliases
      sum.directives += inner.directives
      sum.fields += inner.fields
      sum.depth = Math.max(sum.depth, inner.depth + (isField ? 1 : 0))
    }
    return sum
  }
  return definition => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return nothing
    const shape = ofSelections(definition.selectionSet)
    const ownDirectives =
      (definition.directives?.length ?? 0) +
      (definition.variableDefinitions ?? []).reduce((sum, { directives = [] }) => sum + directives.length, 0)
    return { ...shape, directives: shape.directives + ownDirectives }
  }
}
