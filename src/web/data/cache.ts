// The normalised cache. An object with an id is one entity wherever it is shown; every other object is a part of its parent.

import { type Cache, cacheExchange } from '@urql/exchange-graphcache'
import { entityById } from '../generated/nouns.ts'
import { cacheSchema, partTypes } from './cache-schema.ts'

export function createCache() {
  return cacheExchange({
    // The guarantee: it has what graphcache reads. The option's type is a whole introspection.
    schema: cacheSchema as never,
    keys: Object.fromEntries(partTypes.map(name => [name, () => null])),
    resolvers: {
      // A page reads fields that a list has loaded from the cache, without a request.
      Query: Object.fromEntries(
        Object.entries(entityById).map(([field, __typename]) => [
          field,
          (_parent: unknown, { id }: { id?: string }) => ({ __typename, id }),
        ]),
      ),
    },
    optimistic: {
      updateContact: ({ input }, cache) => ({ __typename: 'Contact', ...withCustom(inputOf(input), cache) }),
      updateTask: ({ input }) => ({ __typename: 'ContactTask', ...inputOf(input) }),
      updateNote: ({ input }) => ({ __typename: 'Note', ...inputOf(input) }),
    },
  })
}

/** The fields of an update's input, which have the same names in the entity. */
function inputOf(input: unknown): Record<string, never> {
  const { ifVersion, addTags, removeTags, ...fields } = input as Record<string, never>
  return fields
}

/** `custom` of an input has only the changed values; `custom` of an entity has all values. */
function withCustom(fields: Record<string, never>, cache: Cache): Record<string, never> {
  const { id, custom } = fields
  if (custom === undefined) return fields
  const before = cache.resolve(`Contact:${String(id)}`, 'custom')
  return { ...fields, custom: { ...(typeof before === 'object' ? before : null), ...(custom as object) } as never }
}
