// What no document and no variable may contain, wherever it stands, because it could not be stored and given back as it came.

import { type DocumentNode, visit } from 'graphql'
import { faultOf as unstorable } from '../body.ts'
import { AppError, invalid, type Problem } from '../errors.ts'

// Of one text.
const mostCharacters = 65_536
// Of lists and objects inside each other. The parsers of JSON take more, what comes after them does not.
const mostLevels = 200
// 20 problems say enough; 10 steps of a path are enough to find the place.
const mostProblems = 20
const longestPath = 10

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
      const fault = faultOf(value)
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
  const problems: Problem[] = []
  const count = look(variables, undefined, 0, problems)
  if (problems.length > 0) throw invalid(...problems)
  return count
}

// A place is a list from the inside out: building a path for every value would cost more than looking at it.
interface Place {
  key: string | number
  inside: Place | undefined
}

function look(value: unknown, place: Place | undefined, level: number, problems: Problem[]): number {
  let count = 1
  if (problems.length >= mostProblems) return count
  if (typeof value === 'string') refuse(faultOf(value), place, problems)
  else if (Array.isArray(value)) {
    checkLevel(level)
    for (let key = 0; key < value.length; key++) count += look(value[key], { key, inside: place }, level + 1, problems)
  } else if (value !== null && typeof value === 'object') {
    checkLevel(level)
    for (const [key, member] of Object.entries(value)) {
      const within = { key, inside: place }
      refuse(key === '__proto__' ? 'no field may be named __proto__' : faultOf(key), within, problems)
      count += look(member, within, level + 1, problems)
    }
  }
  return count
}

function checkLevel(level: number): void {
  if (level > mostLevels)
    throw new AppError('INVALID', `A value is nested deeper than ${mostLevels} levels`, { limit: 'levels', maximum: mostLevels })
}

function refuse(fault: string | null, place: Place | undefined, problems: Problem[]): void {
  if (fault === null) return
  const path: (string | number)[] = []
  for (let at = place; at; at = at.inside) path.unshift(typeof at.key === 'string' ? at.key.slice(0, 100) : at.key)
  problems.push({ path: path.slice(0, longestPath), type: 'value_error', message: `Value error, ${fault}`, context: { error: fault } })
}

function faultOf(text: string): string | null {
  if (text.length > mostCharacters) return `it is longer than ${mostCharacters} characters`
  return unstorable(text)
}
