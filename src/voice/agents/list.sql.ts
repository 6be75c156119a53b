// The statements of lists of agents. An organization has few, so every order is read by sorting them; they have no name, so each execution is
// planned for its values.

import type { Rows } from '../../database/selection.ts'
import { type Statement, statement } from '../../database/statement.ts'
import { type Condition, conditionsSql } from '../../kernel/lists/filter-values.ts'
import { behind, orderBy } from '../../kernel/lists/pages.sql.ts'
import { directionOf, isText, isTime, type Keyed, type PageRequest } from '../../kernel/lists/pagination.ts'
import { agents, type VoiceAgent } from './agent.sql.ts'

const keys = {
  name: { by: '(lower(name)) collate "C"', type: 'text', keyOf: null, isKey: isText },
  created_at: { by: 'created_at', type: 'timestamptz', keyOf: ({ createdAt }: VoiceAgent) => createdAt, isKey: isTime },
  updated_at: { by: 'updated_at', type: 'timestamptz', keyOf: ({ updatedAt }: VoiceAgent) => updatedAt, isKey: isTime },
} as const
type Key = keyof typeof keys
export type AgentSort = Key | `${Key}_desc`

// The cast states what the type says: a sort is the name of a key, with `_desc` behind it or not.
const keyOf = (sort: AgentSort) => keys[sort.replace(/_desc$/, '') as Key]
/** Whether the text can be a sort key in a cursor of this list. */
export const isKeyOf = (sort: AgentSort) => keyOf(sort).isKey

/** $1 the organization, then the values of the conditions, then the cursor's position. */
export function pageStatement(sort: AgentSort, conditions: readonly Condition[], page: PageRequest): Statement<Keyed<VoiceAgent>> {
  const { by, type, keyOf: keyOfAgent } = keyOf(sort)
  const direction = directionOf(page, sort.endsWith('_desc') ? 'desc' : 'asc')
  const { all } = agents
  const place = all.described.length
  const keyed: Rows<Keyed<VoiceAgent>> = {
    described: [...all.described, { name: 'sort_key', type: 'text' }],
    row(cells) {
      const row = all.row(cells)
      return { row, key: keyOfAgent ? keyOfAgent(row) : String(cells[place]) }
    },
  }
  const next = conditions.length + 2
  const where = `org_id = $1${conditionsSql(conditions)}${page.start ? behind(by, type, direction, next) : ''}`
  const order = orderBy(by, direction, page.size + 1)
  return statement('', `select ${all.sql}, (${by})::text as sort_key from voice_agents where ${where} ${order}`, keyed)
}
