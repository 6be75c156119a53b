// Executes compiled documents in process, for the GraphQL door, REST, hooks and tools alike.

import { hash } from 'node:crypto'
import { MapperKind, mapSchema } from '@graphql-tools/utils'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { Span } from '@opentelemetry/api'
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLEnumType,
  type GraphQLFormattedError,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  lexicographicSortSchema,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Queries } from '../../database/client.ts'
import { isDeadlock } from '../../database/errors.ts'
import { type Context, type DryRun, organizationKeyOf, type Services } from '../../kernel/context.ts'
import { answerInTime } from '../../kernel/deadlines/deadline.ts'
import { dryRun } from '../../kernel/dry-run.ts'
import { AppError, type Code } from '../../kernel/errors.ts'
import { idempotently } from '../../kernel/idempotency/idempotency.ts'
import { perObject } from '../../kernel/per-object.ts'
import { isVerified } from '../../kernel/principal.ts'
import { inSpan, markFailed } from '../../kernel/tracing/span.ts'
import { type AuthScopes, type Effect, effectOf, grantsOf, refusal } from '../schema/builder.ts'
import { authScopesOf, schema } from '../schema/root.ts'
import { type Compiled, compile } from './compile.ts'
import { dryRunOf, isTriable as isOperationTriable, receiptDocument, receiptOf } from './dry-run.ts'
import { present, presentAll } from './errors.ts'
import { formerDigests } from './former-digests.ts'
import { addLocations } from './locations.ts'

/**
 * The schema with enum values in lower case, as REST, hooks and tools spell them. Stored documents do the rest of the mapping with
 * aliases, so no response is converted after execution. Made at the first call, which takes 30 ms.
 */
export const wireSchema = (): GraphQLSchema => inLowerCase(schema)

/** The schema as it is declared: its fields and values stand in the order of their declarations. */
export const declaredSchema: GraphQLSchema = schema

const inLowerCase = perObject((original: GraphQLSchema) =>
  withDefaultsOf(
    original,
    mapSchema(lexicographicSortSchema(original), {
      [MapperKind.ENUM_TYPE]: type => {
        if (type.name.startsWith('__')) return type
        const { values, ...config } = type.toConfig()
        return new GraphQLEnumType({
          ...config,
          values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value])),
        })
      },
    }),
  ),
)

// mapSchema looks up default values by enum value names, which have changed, and loses them. The internal values are copied instead.
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
 * Executes an operation. Never throws: errors are in the result, unexpected ones masked and logged. A mutation with an Idempotency-Key
 * runs at most once, in one transaction; a result with errors rolls it back and is not stored.
 */
export function execute(compiled: Compiled, context: Context, variables?: Record<string, unknown>): Promise<ExecutionResult> {
  return inSpan(
    () => aboutOperation(compiled),
    span => {
      const result = executeUntraced(compiled, context, variables)
      return span ? markIfFailed(span, result) : result
    },
  )
}

async function markIfFailed(span: Span, executed: Promise<ExecutionResult>): Promise<ExecutionResult> {
  const result = await executed
  const [error] = result.errors ?? []
  if (error) markFailed(span, String(error.extensions?.code ?? 'INTERNAL'))
  return result
}

// Names that callers chose are not shown: there may be any number of them, with anything in them.
function aboutOperation({ isNamed, name, operation: { operation } }: Compiled) {
  const attributes = { 'graphql.operation.type': operation, ...(isNamed && { 'graphql.operation.name': name }) }
  return { name: isNamed ? `${operation} ${name}` : operation, attributes }
}

async function executeUntraced(compiled: Compiled, context: Context, variables?: Record<string, unknown>): Promise<ExecutionResult> {
  context.operation = compiled.name
  const started = performance.now()
  let result: ExecutionResult
  try {
    if (context.services.replicas && !context.db.inTransaction) context.db = await placeOfReads(compiled, context.services)
    const isKeyed = context.idempotency && compiled.operation.operation === 'mutation'
    const asked = dryRunOf(compiled, context, variables)
    const run = () =>
      asked
        ? tryOut(compiled, context, asked, variables)
        : isKeyed
          ? executeOnce(compiled, context, variables)
          : compiled.execute(context, variables)
    const inTurn = (work: typeof run) =>
      context.services.fairQueue(organizationKeyOf(context), work, context.door === 'tasks' ? 'background' : 'request')
    result =
      compiled.operation.operation === 'mutation' && context.door !== 'tasks'
        ? await answerInTime({ hasKey: context.idempotency !== null }, deadline => {
            context.deadline = deadline
            return inTurn(async () => {
              deadline.begin()
              return run()
            })
          })
        : await inTurn(run)
    if (result.errors)
      result = {
        ...result,
        errors: presentAll(result.errors, context).map(error => addLocations(error, compiled.document, compiled.operation)),
      }
  } catch (error) {
    result = { errors: [present(error, context)] }
  }
  const source = compiled.isNamed ? 'ours' : isVerified(context.principal) ? 'caller' : 'stranger'
  context.services.metrics.operation(compiled.name, source, result.errors ? 'error' : 'ok', (performance.now() - started) / 1000)
  return result
}

// Rows that are looked up by id are read from the primary, which is as quick as asking how far a replica is. Subscriptions and mutations
// also run on the primary.
function placeOfReads({ operation, roots }: Compiled, { database, replicas }: Services): Queries | Promise<Queries> {
  const isLookup = roots.every(root => root.arguments?.some(({ name }) => name.value === 'id'))
  return replicas && operation.operation === 'query' && !isLookup ? replicas.choose() : database
}

/** Thrown inside the transaction to roll it back; carries the failed result. Its cause is a deadlock, after which the transaction is repeated. */
class Failed extends Error {
  readonly result: ExecutionResult
  constructor(result: ExecutionResult) {
    super('the operation failed', { cause: result.errors?.map(({ originalError }) => originalError).find(isDeadlock) })
    this.result = result
  }
}

async function executeOnce(compiled: Compiled, context: Context, variables?: Record<string, unknown>): Promise<ExecutionResult> {
  // A stored answer is replayed without running resolvers and their scope checks, so the scopes are checked first.
  authorize(compiled, context)
  if (compiled.isOurs && context.idempotency?.sent === undefined) throw new Error(`${compiled.name} does not know what its caller sent`)
  try {
    const { digest, ...known } = keyedWriteOf(compiled)
    const write = { ...known, input: [digest, variables ?? {}] }
    const data = await idempotently(context, write, async inside => {
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

/** The part that is the same in all writes of a document with an Idempotency-Key. */
const keyedWriteOf = perObject((compiled: Compiled) => ({
  operation: compiled.name,
  // A caller's document is part of the input. For a stored document the door gives the sent input, and the digest serves only to recognize
  // answers that an earlier release stored.
  digest: (compiled.isOurs && formerDigests[compiled.name]) || hash('sha256', print(compiled.document), 'base64url'),
  isPersonal: compiled.roots.every(({ name }) => scopesRequiredFor(name.value).signedIn === true),
  batchKey: batchKeyOf(compiled),
  isSecret: showsSecret(compiled.document),
  // A stored document selects fields of one noun. A caller's document can select any field that the caller's scopes allow.
  isScoped: !compiled.isOurs,
  // Rebuilding an answer executes all root fields again, so it is possible only with a single root field.
  isRepeatable: compiled.roots.length === 1,
}))

// Runs the write as a dry run. Second steps do not run, and the Idempotency-Key is ignored.
async function tryOut(compiled: Compiled, context: Context, asked: DryRun, variables?: Record<string, unknown>): Promise<ExecutionResult> {
  authorize(compiled, context)
  context.dryRun = asked
  const result = await dryRun(context, async inside => {
    const { data, errors } = await compiled.execute(inside, variables)
    if (!errors) asked.receipt ??= receiptOf(await prepare(receiptDocument).execute(inside, { id: context.requestId }))
    return errors ? { data, errors } : { data }
  })
  return result.errors
    ? result
    : { ...result, extensions: { dryRun: { ...asked.receipt, policy: asked.policy ?? null, file: asked.file ?? null } } }
}

// The name of the single root field if its extension `isBatched` is set: see `Write.batchKey`.
function batchKeyOf({ roots }: Compiled): string | undefined {
  const [only, ...others] = roots
  const name = others.length === 0 ? only?.name.value : undefined
  return name !== undefined && schema.getMutationType()?.getFields()[name]?.extensions.isBatched === true ? name : undefined
}

// Output fields that contain a secret have the extension `isSecret`.
function showsSecret(document: DocumentNode): boolean {
  const types = new TypeInfo(schema)
  let isSecret = false
  const enter = () => {
    isSecret ||= types.getFieldDef()?.extensions.isSecret === true
  }
  visit(document, visitWithTypeInfo(types, { Field: { enter } }))
  return isSecret
}

/** Throws FORBIDDEN unless the caller may ask for the root fields of the type. */
export function authorize({ roots }: Pick<Compiled, 'roots'>, context: Context, type: RootType = schema.getMutationType()): void {
  const { scope, role, ...others } = grantsOf(context.principal)
  for (const { name } of roots) {
    const required = scopesRequiredFor(name.value, type)
    if (required.scope && scope(required.scope)) continue
    if (required.role && role(required.role)) continue
    if (!Object.entries(others).some(([kind, has]) => has && required[kind as keyof typeof others]))
      throw refusal(context, type?.name === 'Mutation')
  }
}

type RootType = ReturnType<GraphQLSchema['getMutationType']>

// Only schemas of tests have fields that declare nothing.
const scopesRequiredFor = (field: string, type: RootType = schema.getMutationType()): Partial<AuthScopes> =>
  authScopesOf(type?.getFields()[field]?.extensions ?? {}) ?? { public: true }

/** Whether the document can be run with `dry_run`: its mutation supports dry runs. */
export const isTriable = (document: DocumentNode): boolean => isOperationTriable(prepare(document))

/** The effect that the document's mutation declares; undefined for a query. */
export function effectOfDocument(document: DocumentNode): Effect | undefined {
  const { operation, roots } = prepare(document)
  const root = operation.operation === 'mutation' ? roots[0] : undefined
  const field = root && schema.getMutationType()?.getFields()[root.name.value]
  return field && effectOf(field)
}

/** Compiles a stored document at its first request, and caches the result. */
export const prepare = perObject((document: DocumentNode) => compile(wireSchema(), document, { isWireForm: true }))

/** Runs a stored document. Throws the AppError of the first failure. */
export async function run<Result, Variables>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
  context: Context,
): Promise<Result> {
  const { data, errors } = await execute(prepare(document), context, variables as Record<string, unknown>)
  const failed = errors?.find(error => !isLateTotal(error))
  if (failed) throw errorOf(failed)
  return data as Result
}

// A total that took too long to count: it is null, and the rows are returned.
const isLateTotal = ({ path, extensions }: GraphQLFormattedError) => path?.at(-1) === 'total' && extensions?.code === 'UNAVAILABLE'

function errorOf({ message, extensions }: GraphQLFormattedError): AppError {
  const { code, status: _, requestId: __, ...extras } = extensions ?? {}
  return new AppError((code as Code | undefined) ?? 'INTERNAL', message, extras)
}
