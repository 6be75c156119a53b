// Documents as functions: graphql-jit writes one for each, and where it is known to be wrong graphql-js runs the document instead.

import { MapperKind, mapSchema } from '@graphql-tools/utils'
import { RequestCache } from '@pothos/plugin-scope-auth'
import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  getOperationAST,
  getVariableValues,
  execute as interpret,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { ofEach } from '../own.ts'
import { fieldCount } from './limits.ts'
import { wholeLiterals } from './literals.ts'

/** A document made ready for one of its operations. */
export interface Compiled {
  document: DocumentNode
  operation: OperationDefinitionNode
  /** The operation's name, or those of its root fields. */
  name: string
  /** Stored by us, rather than sent by a caller. */
  isOurs: boolean
  /** What it asks of the root, fields in fragments included. */
  roots: readonly FieldNode[]
  execute(context: Context, variables: Record<string, unknown> | undefined): Promise<ExecutionResult> | ExecutionResult
}

// 300: more take graphql-jit longer than anybody else should wait, and most of their time is the database's anyway.
const maxCompiledFields = 300
// The third time: a document that is asked once or twice costs more to compile than compiling saves.
const compiledAfter = 2

/**
 * A valid document that graphql-js runs. Where `isKept`, graphql-jit takes over once it has been asked for often enough to be worth
 * compiling.
 */
export function interpretable(
  target: GraphQLSchema,
  document: DocumentNode,
  { operationName, isKept }: { operationName: string | undefined; isKept: boolean },
): Compiled {
  const operation = operationIn(document, operationName)
  const interpreted = { ...partsOf(document, operation), isOurs: false, execute: interpreting(target, document, operationName) }
  if (!isKept || fieldCount(document, operation) > maxCompiledFields) return interpreted
  let asked = 0
  let compiled: Compiled | undefined
  return {
    ...interpreted,
    execute(context, variables) {
      if (asked++ < compiledAfter) return interpreted.execute(context, variables)
      compiled ??= compile(target, document, { operationName })
      return compiled.execute(context, variables)
    },
  }
}

/**
 * Compiles a valid document. The caller keeps the result: compiling costs milliseconds, running microseconds. What resolvers give for a
 * schema in wire form is in wire form already, so its leaves need no second look.
 */
export function compile(
  target: GraphQLSchema,
  document: DocumentNode,
  { operationName, isWireForm = false }: { operationName?: string | undefined; isWireForm?: boolean } = {},
): Compiled {
  const operation = operationIn(document, operationName)
  const base = { ...partsOf(document, operation), isOurs: isWireForm }
  const { roots } = base
  // graphql-jit gets conditions on fragments wrong, and after a mutation has failed it goes on with the next; graphql-js runs those.
  const isPlain = !isConditional(document) && (operation.operation !== 'mutation' || roots.length === 1)
  const whole = wholeLiterals(target, document, operation)
  const compiled =
    isPlain &&
    compileQuery(isWireForm ? unserialized(target) : target, whole.document, operationName ?? '', { disableLeafSerialization: isWireForm })
  if (!compiled || !isCompiledQuery(compiled)) return { ...base, execute: interpreting(target, document, operationName) }
  return {
    ...base,
    execute(context, variables = {}) {
      const result = compiled.query(undefined, context, whole.fill(variables)) as Promise<ExecutionResult> | ExecutionResult
      // What was granted is remembered in a WeakMap, which is better emptied than left to the collector: see own.ts.
      const forget = () => RequestCache.clearForContext(context)
      if (result instanceof Promise) return result.finally(forget)
      forget()
      // Nothing ran: the variables are wrong. graphql-js names them as the caller does, graphql-jit names inner fields alone.
      if ('errors' in result && result.data === undefined)
        return {
          errors:
            getVariableValues(target, operation.variableDefinitions ?? [], givenOnly(variables), { maxErrors: 20 }).errors ?? result.errors,
        }
      return result
    },
  }
}

function operationIn(document: DocumentNode, operationName: string | undefined): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName)
  if (operation) return operation
  throw new AppError('INVALID', operationName ? `There is no operation ${operationName}` : 'operationName must say which operation to run')
}

const partsOf = (document: DocumentNode, operation: OperationDefinitionNode) => ({
  document,
  operation,
  name: nameOf(document, operation),
  roots: rootFieldsOf(document, operation),
})

const interpreting =
  (schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined): Compiled['execute'] =>
  (context, variables) =>
    interpret({ schema, document, operationName, contextValue: context, variableValues: givenOnly(variables) }) as Promise<ExecutionResult>

// graphql-jit leaves only GraphQL's own leaves alone. For each value of another scalar it makes an error's path and calls what serializes
// it: a sixth of what a page of contacts costs in memory. Values in wire form need none of it, so there they all pass for text.
const unserialized = ofEach((target: GraphQLSchema) =>
  mapSchema(target, {
    [MapperKind.COMPOSITE_FIELD]: field => {
      const leaf = getNamedType(field.type)
      return isScalarType(leaf) && !isSpecifiedScalarType(leaf) ? { ...field, type: asText(field.type) } : undefined
    },
  }),
)

function asText(type: GraphQLOutputType): GraphQLOutputType {
  if (isNonNullType(type)) return new GraphQLNonNull(asText(type.ofType))
  return isListType(type) ? new GraphQLList(asText(type.ofType)) : GraphQLString
}

/** What an operation is called in events, logs and metrics. */
export const nameOf = (document: DocumentNode, operation: OperationDefinitionNode): string => {
  const roots = () => rootFieldsOf(document, operation).map(({ name }) => name.value)
  return operation.name?.value ?? roots().join('+').slice(0, 100)
}

/** The fields an operation asks of the root, those in fragments included. */
export function rootFieldsOf({ definitions }: DocumentNode, { selectionSet }: OperationDefinitionNode): FieldNode[] {
  const fieldsOf = (set: SelectionSetNode): FieldNode[] =>
    set.selections.flatMap(selection => {
      if (selection.kind === Kind.FIELD) return [selection]
      if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet)
      const { name } = selection
      return definitions.flatMap(definition =>
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name.value ? fieldsOf(definition.selectionSet) : [],
      )
    })
  return fieldsOf(selectionSet)
}

function isConditional(document: DocumentNode): boolean {
  let found = false
  visit(document, {
    Directive() {
      found = true
      return BREAK
    },
  })
  return found
}

// Callers in this process may write `phone: undefined` for what they do not say; graphql-js would take it for null.
const givenOnly = (variables: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined))
