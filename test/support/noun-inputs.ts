// The inputs of the usual nouns as literals of GraphQL, made of what REST is sent.

import { getNamedType, isEnumType, isInputObjectType } from 'graphql'
import { schema } from '../../src/graphql/schema/root.ts'
import { camelCase } from '../../src/kernel/input/case.ts'
import type { Json } from './app.ts'
import type { UsualNoun } from './nouns.ts'

export const createInput = ({ name, isOfContact, body }: UsualNoun, contactId: string, word: string): string =>
  literal(`Create${name}Input`, { ...(isOfContact && { contact_id: contactId }), ...body(word) })

export const updateInput = ({ name, change }: UsualNoun, id: string): string => literal(`Update${name}Input`, { id, ...change })

export const upsertInput = ({ name, upsert }: UsualNoun, word: string): string => literal(`Upsert${name}Input`, upsert?.(word) ?? {})

function literal(typeName: string, values: Json): string {
  const type = schema.getType(typeName)
  if (!isInputObjectType(type)) throw new Error(`The schema has no input ${typeName}`)
  const given = Object.entries(values).map(([name, value]) => {
    const field = type.getFields()[camelCase(name)]
    if (!field) throw new Error(`${typeName} has no field ${camelCase(name)}`)
    return `${field.name}: ${isEnumType(getNamedType(field.type)) ? String(value).toUpperCase() : JSON.stringify(value)}`
  })
  return `{ ${given.join(', ')} }`
}
