// Compiles documents into functions with graphql-jit; graphql-js executes those that graphql-jit is known to execute wrongly. Without it, a
// page of contacts (W1) takes 2.8 times the server CPU, a nested GraphQL query (W5) 1.9 times.

import { RequestCache } from '@pothos/plugin-scope-auth'
import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  execute as interpret,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { inWireForm, withTextsPassedOn } from './leaves.ts'
import { fieldCount } from './limits.ts'
import { withoutLiterals } from './literals.ts'

/** A document and one of its operations, ready to execute. */
export interface Compiled {
  document: DocumentNode
  operation: OperationDefinitionNode
  /** The operation's name, or the names of its root fields. */
  name: string
  /** True for a stored document of this project, false for one that a caller sent. */
  isOurs: boolean
  /** True for documents of this project, stored or persisted: metrics name them, because there are no more names than documents. */
  isNamed: boolean
  /** The operation's root fields, including those in fragments. */
  roots: readonly FieldNode[]
  execute(context: Context, variables: Record<string, unknown> | undefined): Promise<ExecutionResult>
}

// 300: compiling more fields blocks the event loop too long, and larger documents spend most of their time in the database anyway.
const maxCompiledFields = 300
// 2: a document is compiled at its third execution; for fewer executions compiling costs more than it saves.
const compiledAfter = 2

/** Prepares a valid document for graphql-js. With `isKept`, graphql-jit compiles it after `compiledAfter` executions. */
export function interpretable(
  target: GraphQLSchema,
  document: DocumentNode,
  { operationName, isKept }: { operationName: string | undefined; isKept: boolean },
): Compiled {
  const operation = operationIn(document, operationName)
  const interpreted = {
    ...partsOf(document, operation),
    isOurs: false,
    isNamed: false,
    execute: interpreting(target, document, operationName),
  }
  if (!isKept || fieldCount(document, operation) > maxCompiledFields) return interpreted
  let executions = 0
  let compiled: Compiled | undefined
  return {
    ...interpreted,
    execute(context, variables) {
      if (executions++ < compiledAfter) return interpreted.execute(context, variables)
      compiled ??= compile(target, document, { operationName })
      return compiled.execute(context, variables)
    },
  }
}

/**
 * Compiles a valid document. The caller keeps the result: compiling costs milliseconds, executing microseconds. With `isWireForm`,
 * resolvers return values in wire form, so leaf values are not serialized again; with `isPersisted`, it is a document of the web app.
 */
export function compile(
  target: GraphQLSchema,
  document: DocumentNode,
  {
    operationName,
    isWireForm = false,
    isPersisted = false,
  }: { operationName?: string | undefined; isWireForm?: boolean; isPersisted?: boolean } = {},
): Compiled {
  const operation = operationIn(document, operationName)
  const base = { ...partsOf(document, operation), isOurs: isWireForm, isNamed: isWireForm || isPersisted }
  const { roots } = base
  // graphql-jit evaluates @skip and @include on fragments wrongly, and continues with the next mutation after one has failed.
  // It also reads variables from plain objects, which have a `constructor` that the caller did not send.
  const isInherited = operation.variableDefinitions?.some(({ variable }) => variable.name.value in Object.prototype) === true
  const isPlain = !isInherited && !isConditional(document, isWireForm) && (operation.operation !== 'mutation' || roots.length === 1)
  const rewritten = withoutLiterals(target, document, operation)
  const leaves = (isWireForm ? inWireForm : withTextsPassedOn)(target)
  const compiled = isPlain && compileQuery(leaves, rewritten.document, operationName ?? '', { disableLeafSerialization: true })
  if (!compiled || !isCompiledQuery(compiled)) return { ...base, execute: interpreting(target, document, operationName) }
  return {
    ...base,
    async execute(context, variables = {}) {
      try {
        const result = (await compiled.query(undefined, context, rewritten.fill(variables))) as ExecutionResult
        if (result.data !== undefined) return result
        // The variables are invalid and nothing ran. graphql-js reports the full path of a wrong value, graphql-jit only the inner field.
        const { errors } = getVariableValues(target, operation.variableDefinitions ?? [], withoutUndefined(variables), { maxErrors: 20 })
        return { errors: errors ?? result.errors }
      } finally {
        // scope-auth caches granted scopes in a WeakMap. Clearing the cache is cheaper than garbage collection of weak keys: see
        // per-object.ts.
        RequestCache.clearForContext(context)
      }
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
  async (context, variables) =>
    interpret({ schema, document, operationName, contextValue: context, variableValues: withoutUndefined(variables) })

/** The operation's name in events, logs and metrics. */
export const nameOf = (document: DocumentNode, operation: OperationDefinitionNode): string => {
  const roots = () => rootFieldsOf(document, operation).map(({ name }) => name.value)
  return operation.name?.value ?? roots().join('+').slice(0, 100)
}

/** The root fields of an operation, including those in fragments. */
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

function isConditional(document: DocumentNode, isStored: boolean): boolean {
  let found = false
  visit(document, {
    // The conditions of stored documents are on leaf fields, which graphql-jit evaluates correctly.
    Field: ({ selectionSet }) => (isStored && !selectionSet ? false : undefined),
    Directive() {
      found = true
      return BREAK
    },
  })
  return found
}

// Callers in this process may pass `phone: undefined` for an absent variable; graphql-js would read it as null.
const withoutUndefined = (variables: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined))
