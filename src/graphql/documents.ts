// Documents made ready to run: parsed, checked, compiled, and remembered. What is remembered is never looked at again.

import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  specifiedRules,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError } from '../errors.ts'
import type { Principal } from '../identity/principal.ts'
import { type Compiled, interpretable, nameOf, rootFieldsOf } from './compile.ts'
import { type CheckCost, costOf } from './cost.ts'
import { readOnly } from './guest.ts'
import { limits, parseWithin, strangersLimits } from './limits.ts'
import type { Parameters } from './parameters.ts'

type Asked = Pick<Parameters, 'query' | 'operationName'>

/** A document that may run, for one of its operations. */
export interface Ready {
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
  /** The operation's name, or those of its root fields. */
  name: string
  /** Null for a subscription, which is no single answer. */
  compiled: Compiled | null
  checkCost: CheckCost
}

/** Why a document may not run: what is wrong with it, all at once. */
export class InvalidDocument extends Error {
  readonly errors: readonly unknown[]
  constructor(errors: readonly unknown[]) {
    super('the document is not valid')
    this.errors = errors
  }
}

export interface Documents {
  /** The document if it is known to be good. */
  known(principal: Principal, asked: Asked): Ready | undefined
  /** Makes it ready. Throws InvalidDocument. */
  ready(principal: Principal, asked: Asked): Ready
}

// A document ready to run takes about 150 bytes per character: 400,000 characters are 60 MB at most. An application has some hundred
// documents of some hundred characters; one that writes values into them instead of variables only drives out what is old.
const memory = { max: 500, maxSize: 400_000, maxEntrySize: 20_000 }
// Anybody can be a guest, and must not drive out what others use.
const guestMemory = { max: 100, maxSize: 80_000, maxEntrySize: 20_000 }

export function createDocuments(schema: GraphQLSchema, { isProduction }: { isProduction: boolean }): Documents {
  const sizeCalculation = (_ready: Ready, key: string) => key.length
  const forGuests = new LRUCache<string, Ready>({ ...guestMemory, sizeCalculation })
  const forOthers = new LRUCache<string, Ready>({ ...memory, sizeCalculation })
  const shelf = ({ kind }: Principal) => (kind === 'guest' ? forGuests : forOthers)
  // Neither a name nor the beginning of a document holds a NUL, so two questions never share a key.
  const keyOf = ({ query, operationName }: Asked) => `${operationName ?? ''}\0${query}`

  return {
    known: (principal, asked) => shelf(principal).get(keyOf(asked)),
    ready(principal, asked) {
      const { query, operationName } = asked
      const within = isKnown(principal) ? limits : strangersLimits
      const document = parseWithin(query, within)
      const operation = getOperationAST(document, operationName)
      if (principal.kind === 'guest' && operation?.operation === 'mutation') throw new AppError('GUEST_READ_ONLY', 'Guests may only read')
      const target = principal.kind === 'guest' ? readOnly(schema) : schema
      const mayIntrospect = !isProduction || isKnown(principal)
      const errors = validate(target, document, mayIntrospect ? specifiedRules : rulesForStrangers, { maxErrors: 20 })
      if (errors.length > 0) throw new InvalidDocument(errors)
      if (!operation)
        throw new AppError(
          'INVALID',
          operationName
            ? `The document has no operation named ${operationName.slice(0, 100)}`
            : 'operationName must say which operation to run',
        )

      // What nobody in particular sends is not remembered, nor is introspection, which is refused to some. Nothing of a stranger's is compiled.
      const introspects = rootFieldsOf(document, operation).some(({ name }) => name.value.startsWith('__') && name.value !== '__typename')
      const isKept = principal.kind !== 'anonymous' && !introspects
      const ready = {
        schema: target,
        document,
        operation,
        name: nameOf(document, operation),
        compiled:
          operation.operation === 'subscription'
            ? null
            : interpretable(target, document, { operationName, isKept: isKept && isKnown(principal) }),
        checkCost: costOf(target, document, operation, within.cost),
      }
      if (isKept && ready.compiled) shelf(principal).set(keyOf(asked), ready)
      return ready
    },
  }
}

const rulesForStrangers = [...specifiedRules, NoSchemaIntrospectionCustomRule]

/** Whether somebody vouches for the caller. A guest's id is whatever the visitor makes up. */
export const isKnown = ({ kind }: Principal) => kind !== 'anonymous' && kind !== 'guest'
