// What no document and no variable may contain, wherever it stands, because it could not be stored and given back as it came.

import { type DocumentNode, visit } from 'graphql'
import { faultOf } from '../body.ts'
import { AppError, invalid } from '../errors.ts'
import { examine, maxLevels, maxTextLength } from '../json-input.ts'

// Names with two underscores in front belong to GraphQL itself; as an alias or a member's name, `__proto__` would reach further.
const reserved = (name: string) => name.startsWith('__')

/** Refuses texts that cannot be stored, and names that are not the caller's to give. */
export function checkLiterals(document: DocumentNode): void {
  const refuse = (name: string) => {
    throw new AppError('INVALID', `The name ${name.slice(0, 100)} is reserved: names must not begin with two underscores`)
  }
  let level = 0
  const nested = { enter: () => checkLevel(++level), leave: () => void level-- }
  visit(document, {
    ListValue: nested,
    ObjectValue: nested,
    StringValue({ value }) {
      const fault = faultInText(value)
      if (fault) throw new AppError('INVALID', `A text in the document cannot be stored: ${fault}`)
    },
    Field({ alias }) {
      if (alias && reserved(alias.value)) refuse(alias.value)
    },
    ObjectField({ name }) {
      if (reserved(name.value)) refuse(name.value)
    },
    Variable({ name }) {
      if (reserved(name.value)) refuse(name.value)
    },
    FragmentDefinition({ name }) {
      if (reserved(name.value)) refuse(name.value)
    },
  })
}

/** Refuses variables that could not be stored and given back as they came, wherever in them that stands. Returns how many values there are. */
export function checkVariables(variables: Record<string, unknown>): number {
  const { faults, isTooDeep, values } = examine(variables, { levels: maxLevels + 1 })
  if (isTooDeep) throw tooDeep()
  if (faults.length > 0)
    throw invalid(faults.map(({ path, type, message, context }) => ({ path, type, message, ...(context && { context }) })))
  return values
}

function checkLevel(level: number): void {
  if (level > maxLevels) throw tooDeep()
}

const tooDeep = () => new AppError('INVALID', `A value is nested deeper than ${maxLevels} levels`, { limit: 'levels', maximum: maxLevels })

function faultInText(text: string): string | null {
  if (text.length > maxTextLength) return `it is longer than ${maxTextLength} characters`
  return faultOf(text)
}
