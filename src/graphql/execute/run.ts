// Runs documents: compiled once, executed in process, the same for the GraphQL door, REST, hooks and tools.

import { hash } from 'node:crypto'
import { MapperKind, mapSchema } from '@graphql-tools/utils'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLEnumType,
  type GraphQLFormattedError,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Context } from '../context.ts'
import { AppError, type Code } from '../errors.ts'
import { once } from '../once.ts'
import { ofEach } from '../own.ts'
import { granted, refusal } from './builder.ts'
import { type Compiled, compile } from './compile.ts'
import { located } from './locations.ts'
import { present, presentAll } from './present.ts'
import { authScopesOf, schema } from './schema.ts'

/**
 * The schema as REST, hooks and tools spell it: enum values in lower case. Everything else is the same, so a stored document
 * carries the whole mapping and no answer is walked through.
 */
export const wireSchema: GraphQLSchema = withDefaultsOf(
  schema,
  mapSchema(schema, {
    [MapperKind.ENUM_TYPE]: type => {
      if (type.name.startsWith('__')) return type
      const { values, ...config } = type.toConfig()
      return new GraphQLEnumType({
        ...config,
        values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value])),
      })
    },
  }),
)

// mapSchema carries default values over by the names of enum values, which have just changed; what they mean has not.
function withDefaultsOf(original: GraphQLSchema, mapped: GraphQLSchema): GraphQLSchema {
  for (const [name, type] of Object.entries(mapped.getTypeMap())) {
    const twin = original.getType(name)
    if (isInputObjectType(type) && isInputObjectType(twin))
      for (const field of Object.values(type.getFields())) field.defaultValue = twin.getFields()[field.name]?.defaultValue
    if (isObjectType(type) && isObjectType(twin))
      for (const field of Object.values(type.getFields()))
        for (const argument of field.args)
          argument.defaultValue = twin.getFields()[field.name]?.args.find(({ name }) => name === argument.name)?.defaultValue
  }
  return mapped
}

/**
 * Executes and presents: never throws, errors are in the result, unexpected ones masked and logged. A mutation that came with an
 * Idempotency-Key runs at most once, in one transaction; an answer with errors undoes it and is not stored.
 */
export async function execute(compiled: Compiled, context: Context, variables?: Record<string, unknown>): Promise<ExecutionResult> {
  context.operation = compiled.name
  const started = performance.now()
  let result: ExecutionResult
  try {
    const isKeyed = context.idempotency && compiled.operation.operation === 'mutation'
    result = await context.services.turns(turnOf(context), async () =>
      isKeyed ? await executeOnce(compiled, context, variables) : await compiled.execute(context, variables),
    )
    if (result.errors)
      result = { ...result, errors: presentAll(result.errors, context).map(error => located(error, compiled.document, compiled.operation)) }
  } catch (error) {
    result = { errors: [present(error, context)] }
  }
  const isStranger = context.principal.kind === 'anonymous' || context.principal.kind === 'guest'
  const whose = compiled.isOurs ? 'ours' : isStranger ? 'stranger' : 'caller'
  context.services.metrics.operation(compiled.name, whose, result.errors ? 'error' : 'ok', (performance.now() - started) / 1000)
  return result
}

// Whose turn an operation takes: an organization's that the caller is of, or else the caller's. Those without a credential share one.
function turnOf({ principal, requestedOrgId }: Context): string {
  switch (principal.kind) {
    case 'api_key':
    case 'session':
    case 'service':
      return (requestedOrgId !== null && principal.orgIds.includes(requestedOrgId) ? requestedOrgId : principal.orgIds[0]) ?? principal.kind
    case 'hook':
      return principal.orgId
    case 'system':
      return principal.orgId ?? principal.kind
    case 'identity':
    case 'guest':
    case 'anonymous':
      return principal.kind
  }
}

/** Carries a failed result out of the transaction, which it undoes. */
class Failed extends Error {
  readonly result: ExecutionResult
  constructor(result: ExecutionResult) {
    super('the operation failed')
    this.result = result
  }
}

async function executeOnce(compiled: Compiled, context: Context, variables?: Record<string, unknown>): Promise<ExecutionResult> {
  // A stored answer is given without asking the resolvers, so who may have it is checked before.
  authorize(compiled, context)
  try {
    const write = {
      operation: compiled.name,
      input: [digestOf(compiled.document), variables ?? {}],
      joins: joinableField(compiled),
      isSecret: showsSecret(compiled.document),
      // Stored documents show one noun each; those of callers lead wherever the scopes of who asks allow.
      isScoped: !compiled.isOurs,
      // Making an answer anew runs the operation's fields again, so there must be no other one beside that of the two steps.
      isRepeatable: compiled.roots.length === 1,
    }
    const data = await once(context, write, async inside => {
      const result = await compiled.execute(inside, variables)
      if (result.errors) throw new Failed(result)
      return result.data
    })
    return { data }
  } catch (error) {
    if (error instanceof Failed) return error.result
    throw error
  }
}

// A single field that says so of itself: see `Write.joins`.
function joinableField({ roots }: Compiled): string | undefined {
  const [only, ...others] = roots
  const name = others.length === 0 ? only?.name.value : undefined
  return name !== undefined && schema.getMutationType()?.getFields()[name]?.extensions.isJoinable === true ? name : undefined
}

// Output fields say of themselves that they show a secret.
const showsSecret = ofEach((document: DocumentNode) => {
  const types = new TypeInfo(schema)
  let isSecret = false
  const enter = () => {
    isSecret ||= types.getFieldDef()?.extensions.isSecret === true
  }
  visit(document, visitWithTypeInfo(types, { Field: { enter } }))
  return isSecret
})

// Printing is for fingerprints only, and once per document.
const digestOf = ofEach((document: DocumentNode) => hash('sha256', print(document), 'base64url'))

function authorize({ roots }: Compiled, context: Context): void {
  const fields = schema.getMutationType()?.getFields() ?? {}
  const { scope, ...others } = granted(context.principal)
  for (const { name } of roots) {
    const required = authScopesOf(fields[name.value]?.extensions) ?? {}
    const isOther = Object.entries(others).some(([kind, has]) => has && required[kind as keyof typeof others])
    if (!isOther && !(required.scope && scope(required.scope))) throw refusal(context, true)
  }
}

/** A stored document compiled, before its first request or at it. */
export const prepare = ofEach((document: DocumentNode) => compile(wireSchema, document, { isWireForm: true }))

/** Runs a stored document. Throws the AppError of the first failure. */
export async function run<Result, Variables>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
  context: Context,
): Promise<Result> {
  const { data, errors } = await execute(prepare(document), context, variables as Record<string, unknown>)
  if (errors?.[0]) throw thrown(errors[0])
  return data as Result
}

function thrown({ message, extensions }: GraphQLFormattedError): AppError {
  const { code, status: _, requestId: __, ...extras } = extensions ?? {}
  return new AppError((code as Code | undefined) ?? 'INTERNAL', message, extras)
}
