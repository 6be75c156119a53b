// Parses, validates and compiles documents, and caches the result. A cached document is not validated again.

import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../kernel/errors.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { isVerified, type Principal } from '../../kernel/principal.ts'
import { readOnly } from '../schema/guest.ts'
import { type Compiled, compile, interpretable, nameOf, rootFieldsOf } from './compile.ts'
import { type CheckCost, costOf } from './cost.ts'
import { limits, parseWithin, unverifiedLimits } from './limits.ts'

interface DocumentRequest {
  query: string
  operationName: string | undefined
  /** True for a document of the web app, which the client named by its hash. */
  isPersisted: boolean
}

/** A validated document and one of its operations. */
export interface Ready {
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
  /** The operation's name, or the names of its root fields. */
  name: string
  /** Null for a subscription, which is executed once per event. */
  compiled: Compiled | null
  checkCost: CheckCost
}

/** All validation errors of a document. */
export class InvalidDocument extends Error {
  readonly errors: readonly unknown[]
  constructor(errors: readonly unknown[]) {
    super('the document is not valid')
    this.errors = errors
  }
}

export interface Documents {
  /** The cached document, if there is one. */
  find(principal: Principal, request: DocumentRequest): Ready | undefined
  /** Parses, validates and caches the document. Throws InvalidDocument. */
  ready(principal: Principal, request: DocumentRequest): Ready
}

// A prepared document takes about 150 bytes per character: 400,000 characters are 60 MB at most. An application has some hundred
// documents of some hundred characters. Documents with literals instead of variables evict the least recently used ones.
const cacheLimits = { max: 500, maxSize: 400_000, maxEntrySize: 20_000 }
// Guests have a cache of their own: they need no credential, and must not evict documents of authenticated callers.
const guestCacheLimits = { max: 100, maxSize: 80_000, maxEntrySize: 20_000 }

export function createDocuments(schema: GraphQLSchema, { isProduction }: { isProduction: boolean }): Documents {
  const sizeCalculation = (_ready: Ready, key: string) => key.length
  const guestCache = new LRUCache<string, Ready>({ ...guestCacheLimits, sizeCalculation })
  const verifiedCache = new LRUCache<string, Ready>({ ...cacheLimits, sizeCalculation })
  // Nothing is evicted from these: there are no more persisted documents than their file has.
  const persistedCache = new Map<string, Ready>()
  const guestPersistedCache = new Map<string, Ready>()
  const cacheOf = ({ kind }: Principal, { isPersisted }: DocumentRequest) => {
    if (isPersisted) return kind === 'guest' ? guestPersistedCache : persistedCache
    return kind === 'guest' ? guestCache : verifiedCache
  }
  // Neither an operation name nor the start of a document contains NUL, so keys are unambiguous.
  const keyOf = ({ query, operationName }: DocumentRequest) => `${operationName ?? ''}\0${query}`

  return {
    find(principal, request) {
      const found = cacheOf(principal, request).get(keyOf(request))
      return found?.compiled ? found : undefined
    },
    ready(principal, request) {
      const { query, operationName, isPersisted } = request
      const kept = isPersisted && cacheOf(principal, request).get(keyOf(request))
      if (kept) return kept
      const within = isVerified(principal) ? limits : unverifiedLimits
      // The limits of shape protect from documents of others. The cost depends on the caller's variables.
      const document = isPersisted ? parse(query) : parseWithin(query, within)
      const operation = getOperationAST(document, operationName)
      if (principal.kind === 'guest' && operation?.operation === 'mutation') throw new AppError('GUEST_READ_ONLY', 'Guests may only read')
      const target = principal.kind === 'guest' ? readOnly(schema) : schema
      const mayIntrospect = !isProduction || isVerified(principal)
      const errors = validate(target, document, mayIntrospect ? specifiedRules : rulesWithoutIntrospection, { maxErrors: 20 })
      if (errors.length > 0) throw new InvalidDocument(errors)
      if (!operation)
        throw new AppError(
          'INVALID',
          operationName
            ? `The document has no operation named ${cutText(operationName, 100)}`
            : 'operationName must say which operation to run',
        )

      // Neither documents of anonymous callers nor introspection, which is validated per caller, are cached. Documents of unverified
      // callers are never compiled.
      const introspects = rootFieldsOf(document, operation).some(({ name }) => name.value.startsWith('__') && name.value !== '__typename')
      const isKept = isPersisted || (principal.kind !== 'anonymous' && !introspects)
      const ready = {
        schema: target,
        document,
        operation,
        name: nameOf(document, operation),
        compiled: compileOperation(target, document, operation, { operationName, isPersisted, isKept: isKept && isVerified(principal) }),
        checkCost: costOf(target, document, operation, within.cost),
      }
      if (isKept && (isPersisted || ready.compiled)) cacheOf(principal, request).set(keyOf(request), ready)
      return ready
    },
  }
}

function compileOperation(
  target: GraphQLSchema,
  document: DocumentNode,
  { operation }: OperationDefinitionNode,
  { isPersisted, isKept, operationName }: { operationName: string | undefined; isPersisted: boolean; isKept: boolean },
): Compiled | null {
  if (operation === 'subscription') return null
  return isPersisted
    ? compile(target, document, { operationName, isPersisted })
    : interpretable(target, document, { operationName, isKept })
}

const rulesWithoutIntrospection = [...specifiedRules, NoSchemaIntrospectionCustomRule]
