// Nodes: entities looked up by id alone.

import { type Context, organizationOf } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import { problem } from '../kernel/input/problem.ts'
import { isText } from '../kernel/pagination.ts'
import { type Entity, entities } from './entities.ts'

// An account has no id but its user's.
const { credits: _, ...nodes } = entities
// As many as a page shows.
const maxNodes = 200

/**
 * The organization's entities with these ids, deleted ones included; null for an unknown or unreadable id. Loaders are tried in turn with the
 * ids not yet found. Throws INVALID for more than 200 ids.
 */
export async function findNodes(context: Context, ids: readonly string[]): Promise<(object | null)[]> {
  organizationOf(context)
  if (ids.length > maxNodes) throw invalid(problem('ids', 'too_long', ids, { max_length: maxNodes, actual_length: ids.length }))
  const found = new Map<string, object>()
  for (const entity of Object.values<Entity>(nodes)) {
    const missing = ids.filter(id => (entity.hasTextId ? isText(id) : isId(id)) && !found.has(id))
    if (missing.length === 0 || !entity.mayRead(context)) continue
    const rows = await Promise.all(missing.map(id => entity.load(context, entity.hasTextId ? id : id.toLowerCase())))
    for (const [index, row] of rows.entries()) if (row) found.set(missing[index] ?? '', { ...row, __typename: entity.typename })
  }
  return ids.map(id => found.get(id) ?? null)
}
