// Nodes: looking up entities by id alone.

import { type Context, organizationOf } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import { problem } from '../kernel/input/problem.ts'
import { isText } from '../kernel/lists/pagination.ts'
import { type Entity, entities, entityNamed } from './entities.ts'

// An account is left out, because it has no id except that of its user.
const { credits: _, ...nodes } = entities
// As many as on the largest page.
const maxNodes = 200

/**
 * The organization's entities with these ids, including deleted ones; null for an unknown or unreadable id. The loaders are called one
 * after the other with the ids that are not found yet. Throws INVALID for more than 200 ids.
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

/** The entity of that name with the id, deleted or not; null for an unknown or unreadable one. */
export async function findEntity(context: Context, name: string, id: string): Promise<object | null> {
  const entity = entityNamed(name)
  if (!entity?.mayRead(context) || !(name === 'credits' || entity.hasTextId ? isText(id) : isId(id))) return null
  const row = await entity.load(context, id)
  return row && { ...row, __typename: entity.typename }
}
