// The schema of guests must equal the full schema except for mutations.

import {
  type GraphQLFieldMap,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql'
import { expect, test } from 'vitest'
import { readOnly } from '../../../src/graphql/schema/guest.ts'
import { publicOf } from '../../../src/graphql/schema/public.ts'
import { schema as wholeSchema } from '../../../src/graphql/schema/root.ts'

const schema = publicOf(wholeSchema)

const guests = readOnly(schema)
const typesOf = (of: typeof schema) => Object.values(of.getTypeMap()).filter(({ name }) => !name.startsWith('__'))

/** Everything that determines a field's value and who may select it. */
const fieldsOf = (fields: GraphQLFieldMap<unknown, unknown>) =>
  Object.values(fields).map(({ name, type, args, resolve, subscribe, extensions }) => ({
    ...{ name, type: String(type), resolve, subscribe, extensions: { ...extensions } },
    args: args.map(({ name, type, defaultValue }) => ({ name, type: String(type), defaultValue })),
  }))

function contentOf(type: GraphQLNamedType): unknown {
  if (isEnumType(type)) return type.getValues().map(({ name, value }) => ({ name, value }))
  if (isScalarType(type)) return [type.serialize, type.parseValue, type.parseLiteral]
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map(({ name, type, defaultValue }) => ({ name, type: String(type), defaultValue }))
  if (isUnionType(type)) return type.getTypes().map(({ name }) => name)
  if (isObjectType(type)) return fieldsOf(type.getFields())
  // The resolvers of an interface's fields are never called.
  if (isInterfaceType(type)) return fieldsOf(type.getFields()).map(({ resolve: _, ...field }) => field)
  throw new Error(`What makes ${String(type)} is not compared`)
}

test.each(typesOf(guests).map(({ name }) => name))('guests see %s as other callers do', name => {
  const [type, twin] = [guests.getType(name), schema.getType(name)]
  expect(type && contentOf(type)).toEqual(twin && contentOf(twin))
})

test('guests have every query and subscription, and no mutation', () => {
  expect(guests.getMutationType()).toBeUndefined()
  for (const root of ['Query', 'Subscription'])
    expect(Object.keys((guests.getType(root) as never as { getFields(): object }).getFields())).toEqual(
      Object.keys((schema.getType(root) as never as { getFields(): object }).getFields()),
    )
  expect(typesOf(guests).map(({ name }) => name)).not.toContain('CreateContactInput')
})
