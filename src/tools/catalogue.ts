// The door for agents: offers stored documents as tools, described by the schema, and executes them in process with the run's scopes.

import { type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql'
import type { AgentTools, Tool, ToolCall, ToolCaller } from '../gateway/models/runtime.ts'
import * as operations from '../generated/operations.ts'
import type { Compiled } from '../graphql/execute/compile.ts'
import { execute, prepare, wireSchema } from '../graphql/execute/run.ts'
import { authScopesOf, schema } from '../graphql/schema/root.ts'
import { createContext, type Services } from '../kernel/context.ts'
import { creditsOf } from '../kernel/money.ts'
import type { Principal, Scope } from '../kernel/principal.ts'
import { inputSchemaOf } from './input-schema.ts'

interface Entry extends Tool {
  /** The scope that a run needs to see and call the tool. */
  scope: Scope
  compiled: Compiled
}

// In characters. 20,000: more than a page of ten complete contacts, and little enough for a model's context.
const maxOutput = 20_000

export function createTools(services: Services): AgentTools {
  // Compiled on first use, because each document takes milliseconds.
  let known: Map<string, Entry> | undefined
  const entries = () =>
    (known ??= new Map(
      documents()
        .map(document => entryOf(document))
        .map(entry => [entry.name, entry]),
    ))
  const isAllowed = (scopes: readonly string[], scope: Scope) => scopes.includes('*') || scopes.includes(scope)

  return {
    offered: scopes =>
      [...entries().values()]
        .filter(({ scope }) => isAllowed(scopes, scope))
        .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    async call({ name, input }: ToolCall, run: ToolCaller, key: string) {
      const entry = entries().get(name)
      if (!entry || !isAllowed(run.scopes, entry.scope)) return failure('NOT_FOUND', `There is no tool named ${name}`)
      if (input === null || typeof input !== 'object' || Array.isArray(input)) return failure('INVALID', 'The input must be an object')
      const known = Object.keys(entry.inputSchema.properties as object)
      const unknown = Object.keys(input).find(field => !known.includes(field))
      if (unknown !== undefined)
        return failure('INVALID', `${name} has no field "${unknown.slice(0, 64)}"; its fields are ${known.join(', ') || 'none'}`)

      const { runId, orgId, creditCeiling } = run
      const scopes = run.scopes as readonly (Scope | '*')[]
      const principal: Principal = { kind: 'hook', name: run.name, orgId, runId, scopes, creditCeiling: creditsOf(creditCeiling) }
      const context = createContext(services, { principal, requestId: runId, door: 'tools', idempotencyKey: key })
      const { data, errors } = await execute(entry.compiled, context, input as Record<string, unknown>)
      if (errors?.[0]) return failure(String(errors[0].extensions.code), errors[0].message, errors[0].extensions)
      return shortened(Object.values(data ?? {})[0])
    },
  }
}

const prefix = 'Tool'

const documents = (): DocumentNode[] =>
  Object.entries(operations).flatMap(([name, document]) =>
    name.startsWith(prefix) && name.endsWith('Document') ? [document as DocumentNode] : [],
  )

function entryOf(document: DocumentNode): Entry {
  const compiled = prepare(document)
  const { operation } = compiled
  const field = rootFieldOf(operation)
  const scope = authScopesOf(field.extensions)?.scope as Scope | undefined
  if (scope === undefined) throw new Error(`${operation.name?.value}: a tool's field must be guarded by a scope`)
  return {
    name: snakeCased(operation.name?.value.slice(prefix.length) ?? ''),
    description: field.description ?? '',
    inputSchema: inputSchemaOf(wireSchema, document, operation),
    scope,
    compiled,
  }
}

function rootFieldOf(operation: OperationDefinitionNode) {
  const [selection, ...others] = operation.selectionSet.selections
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  const field = selection?.kind === Kind.FIELD ? root?.getFields()[selection.name.value] : undefined
  if (!field || others.length > 0) throw new Error(`${operation.name?.value}: a tool asks for one root field`)
  return field
}

const snakeCased = (name: string) => name.replace(/(?!^)[A-Z]/g, letter => `_${letter}`).toLowerCase()

// The error that the model receives: code, message and extras, such as the id of an existing contact.
function failure(code: string, message: string, extensions: Readonly<Record<string, unknown>> = {}): unknown {
  const { code: _, status: __, requestId: ___, ...extras } = extensions
  return { error: { code, message, ...extras } }
}

function shortened(data: unknown): unknown {
  const text = JSON.stringify(data)
  return text.length > maxOutput ? { cut: `The answer was longer than ${maxOutput} characters`, begin: text.slice(0, maxOutput) } : { data }
}
