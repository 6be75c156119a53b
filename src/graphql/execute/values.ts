// Checks of the values in documents and variables: PostgreSQL must store them unchanged, and names must not be reserved.

import { type DocumentNode, type FieldNode, visit } from 'graphql'
import { AppError, invalid } from '../../kernel/errors.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { examine, maxLevels, maxTextLength } from '../../kernel/input/json.ts'
import { storageFault } from '../../kernel/input/storable.ts'

// GraphQL reserves names that begin with two underscores. The check also refuses `__proto__` as an alias or member name.
const isReserved = (name: string) => name.startsWith('__')
// Relay's compiler adds aliases such as `__isNode: __typename` wherever a type is abstract.
const isRelays = ({ name, alias }: FieldNode) => name.value === '__typename' && alias !== undefined && /^__is[A-Z]\w*$/.test(alias.value)

/** Throws INVALID for texts that cannot be stored, and for reserved names. */
export function checkLiterals(document: DocumentNode): void {
  const refuse = (name: string) => {
    throw new AppError('INVALID', `The name ${cutText(name, 100)} is reserved: names must not begin with two underscores`)
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
    Field(field) {
      const { alias } = field
      if (alias && isReserved(alias.value) && !isRelays(field)) refuse(alias.value)
    },
    ObjectField({ name }) {
      if (isReserved(name.value)) refuse(name.value)
    },
    Variable({ name }) {
      if (isReserved(name.value)) refuse(name.value)
    },
    FragmentDefinition({ name }) {
      if (isReserved(name.value)) refuse(name.value)
    },
  })
}

/** Throws INVALID for variables that contain, at any depth, a value that cannot be stored unchanged. Returns the number of values. */
export function checkVariables(variables: Record<string, unknown>): number {
  const { problems, isTooDeep, values } = examine(variables, { levels: maxLevels + 1 })
  if (isTooDeep) throw tooDeep()
  if (problems.length > 0)
    throw invalid(problems.map(({ path, type, message, context }) => ({ path, type, message, ...(context && { context }) })))
  return values
}

function checkLevel(level: number): void {
  if (level > maxLevels) throw tooDeep()
}

const tooDeep = () => new AppError('INVALID', `A value is nested deeper than ${maxLevels} levels`, { limit: 'levels', maximum: maxLevels })

function faultInText(text: string): string | null {
  if (text.length > maxTextLength) return `it is longer than ${maxTextLength} characters`
  return storageFault(text)
}
