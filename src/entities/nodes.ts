// Nodes: looking up entities by id alone.

import { type Context, organizationOf } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import { problem } from '../kernel/input/problem.ts'
import { isText } from '../kernel/lists/pagination.ts'
import { allNouns, loadNoun, nounNamed } from '../kernel/nouns/nouns.ts'

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
  for (const noun of allNouns()) {
    if (!noun.load) continue
    const missing = ids.filter(id => (noun.hasTextId ? isText(id) : isId(id)) && !found.has(id))
    if (missing.length === 0 || !noun.mayRead(context)) continue
    const rows = await Promise.all(missing.map(id => loadNoun(context, noun, noun.hasTextId ? id : id.toLowerCase())))
    for (const [index, row] of rows.entries()) if (row) found.set(missing[index] ?? '', row)
  }
  return ids.map(id => found.get(id) ?? null)
}

/** The entity of that name with the id, deleted or not; null for an unknown or unreadable one. */
export async function findEntity(context: Context, name: string, id: string): Promise<object | null> {
  const noun = nounNamed(name)
  return noun?.mayRead(context) && (noun.hasTextId ? isText(id) : isId(id)) ? loadNoun(context, noun, id) : null
}
