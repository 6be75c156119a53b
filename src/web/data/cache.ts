// The normalised cache: an object with an id is one entity wherever it is shown. An object without an id belongs to its parent.

import { type Cache, cacheExchange } from '@urql/exchange-graphcache'
import introspection from '../generated/introspection.json'
import { entityById } from '../generated/nouns.ts'

export function createCache() {
  return cacheExchange({
    // The codegen's JSON is wider than graphcache's literal types of kinds.
    schema: introspection as never,
    keys: Object.fromEntries(withoutId().map(name => [name, () => null])),
    resolvers: {
      // A query by id finds the entity that a list has read, and needs no request for the fields that the list had.
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

/** The members of an update's input that are fields of the entity too, under the same name. */
function inputOf(input: unknown): Record<string, never> {
  const { ifVersion, addTags, removeTags, ...fields } = input as Record<string, never>
  return fields
}

/** `custom` of an update has only the changed fields; in the entity it has all. */
function withCustom(fields: Record<string, never>, cache: Cache): Record<string, never> {
  const { id, custom } = fields
  if (custom === undefined) return fields
  const before = cache.resolve(`Contact:${String(id)}`, 'custom')
  return { ...fields, custom: { ...(typeof before === 'object' ? before : null), ...(custom as object) } as never }
}

interface IntrospectedType {
  kind: string
  name: string
  fields?: readonly { name: string }[]
}

function withoutId(): string[] {
  const types = introspection.__schema.types as readonly IntrospectedType[]
  return types.filter(({ kind, fields }) => kind === 'OBJECT' && !fields?.some(({ name }) => name === 'id')).map(({ name }) => name)
}
