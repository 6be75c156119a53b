// The door for agents: stored documents as tools, named and described from the schema, executed in process as the run that calls them.

import { type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql'
import { createContext, type Services } from '../context.ts'
import type { AgentTools, Tool, ToolCall, ToolCaller } from '../gateway/agent-runtime.ts'
import type { Compiled } from '../graphql/compile.ts'
import { execute, prepare, wireSchema } from '../graphql/run.ts'
import { authScopesOf, schema } from '../graphql/schema.ts'
import type { Principal, Scope } from '../identity/principal.ts'
import * as operations from '../operations.gen.ts'
import { inputSchemaOf } from './input-schema.ts'

interface Entry extends Tool {
  /** What a run must be allowed to do to be offered it. */
  scope: Scope
  compiled: Compiled
}

// More than a page of ten contacts with all they have; a model that wants more asks more exactly.
const longestOutput = 20_000

export function createTools(services: Services): AgentTools {
  // Compiling takes milliseconds each: only what is asked for, and once.
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
      const principal: Principal = { kind: 'hook', name: run.name, orgId, runId, scopes, creditCeiling: creditCeiling / 1_000_000 }
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

// What a model can act upon: the code, the sentence and what belongs to it, such as the id of the contact that exists already.
function failure(code: string, message: string, extensions: Readonly<Record<string, unknown>> = {}): unknown {
  const { code: _, status: __, requestId: ___, ...extras } = extensions
  return { error: { code, message, ...extras } }
}

function shortened(data: unknown): unknown {
  const text = JSON.stringify(data)
  return text.length > longestOutput
    ? { cut: `The answer was longer than ${longestOutput} characters`, begin: text.slice(0, longestOutput) }
    : { data }
}
