// Checks the input of an endpoint: address, description, types of events and filter.

import { cutText } from '../../kernel/input/cut.ts'
import { invalidValue, type Read, text, tooLong, webAddress } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { isStorable } from '../../kernel/input/storable.ts'
import { isToldType } from '../../kernel/nouns/nouns.ts'
import type { Condition, Endpoint } from './endpoint.sql.ts'

export interface EndpointInput {
  url?: string | null
  description?: string | null
  eventTypes?: readonly string[] | null
  filter?: readonly { field: string; values?: readonly unknown[] | null }[] | null
  payload?: Endpoint['payload'] | null
  isEnabled?: boolean | null
}

type Fields = Pick<Endpoint, 'url' | 'description' | 'eventTypes' | 'filter' | 'payload'>

// Conditions, and values of a condition.
const maxConditions = 20
const maxValues = 50

const address: Read<string, string | null> = input => {
  const read = webAddress(input)
  if (read instanceof Invalid || read === null) return read
  const { username, password } = new URL(read)
  return username || password ? invalidValue(input, 'it must hold no user name or password; verify the signature instead') : read
}
const description = text(500)

/** The given fields as they are stored. Null resets a field to its default. */
export function readEndpoint(input: EndpointInput): { fields: Partial<Fields>; problems: Problem[] } {
  const problems: Problem[] = []
  const fields: Partial<Fields> = {}
  const take = <Name extends keyof Fields>(name: Name, value: Fields[Name] | Invalid) => {
    if (value instanceof Invalid) problems.push(...at(name, value))
    else fields[name] = value
  }
  if (input.url !== undefined) {
    const url = input.url === null ? null : address(input.url)
    if (url === null) problems.push(problem('url', 'string_too_short', input.url ?? '', { min_length: 1 }))
    else take('url', url)
  }
  if (input.description !== undefined) take('description', input.description === null ? null : description(input.description))
  if (input.eventTypes !== undefined) take('eventTypes', eventTypesOf(input.eventTypes ?? []))
  if (input.filter !== undefined) take('filter', filterOf(input.filter ?? []))
  if (input.payload !== undefined) fields.payload = input.payload ?? 'full'
  return { fields, problems }
}

function eventTypesOf(given: readonly string[]): Endpoint['eventTypes'] | Invalid {
  const types = [...new Set(given)]
  const unknown = types.flatMap((type, index) =>
    isToldType(type) ? [] : [valueError([index], 'there is no such type of event; see webhookEventTypes for all', type)],
  )
  return unknown.length > 0 ? new Invalid(unknown.slice(0, 100)) : types.filter(isToldType)
}

function filterOf(given: NonNullable<EndpointInput['filter']>): Condition[] | Invalid {
  if (given.length > maxConditions) return tooLong(given, maxConditions)
  const problems: Problem[] = []
  const conditions = given.map(({ field, values = null }, index): Condition => {
    if (!/^[a-z][a-z0-9_]{0,62}(\.[a-z0-9_]{1,63})?$/.test(field))
      problems.push(valueError([index, 'field'], 'is not the name of a field, such as lifecycle_stage or custom.plan', cutText(field, 100)))
    if (values !== null && values.length === 0)
      problems.push(problem([index, 'values'], 'too_short', values, { field_type: 'List', min_length: 1, actual_length: 0 }))
    if (values !== null && values.length > maxValues) problems.push(...at(index, new Invalid(at('values', tooLong(values, maxValues)))))
    if (!isStorable(values)) problems.push(valueError([index, 'values'], 'NUL characters and halves of surrogate pairs are not allowed'))
    return { field, values }
  })
  return problems.length > 0 ? new Invalid(problems) : conditions
}
