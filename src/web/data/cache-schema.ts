// The schema as graphcache takes it, made from the short form that codegen writes.

import content from '../generated/cache-schema.json'

const words = (text: string) => text.split(' ').filter(Boolean)
const named = (name: string) => ({ kind: 'OBJECT', name })

// Only these three differ for the cache: null, never null, and a list with values that may be null.
const nullable = {}
const nullableList = { kind: 'LIST', ofType: nullable }
function typeOf(field: string) {
  if (field.endsWith('?')) return nullableList
  return field.endsWith('!') ? { kind: 'NON_NULL', ofType: nullableList } : nullable
}

const objects = Object.entries(content.types).map(([name, fields]) => ({
  ...named(name),
  fields: words(fields).map(field => ({ name: field.replace(/[?!]$/, ''), type: typeOf(field), args: [] })),
}))
// To the cache, an interface is a union of its types.
const unions = Object.entries(content.possible).map(([name, types]) => ({ kind: 'UNION', name, possibleTypes: words(types).map(named) }))

export const cacheSchema = {
  __schema: {
    queryType: named('Query'),
    mutationType: named('Mutation'),
    subscriptionType: named('Subscription'),
    types: [...objects, ...unions],
  },
}

const entities = new Set(words(content.entities))
/** The types without an id, whose objects are parts of their parents. */
export const partTypes: readonly string[] = Object.keys(content.types).filter(name => !entities.has(name))
