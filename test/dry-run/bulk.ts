// Bulk changes of records for the tests of dry runs: one of each record runs, and one can be undone.

import type { Json } from '../support/app.ts'
import { records } from '../support/nouns.ts'
import type { Tried } from './writes.ts'

export type SeededBulk = ReadonlyMap<string, { running: string; undoable: string }>

export async function seedBulk(ask: (document: string) => Promise<Json>): Promise<SeededBulk> {
  const bulk = new Map<string, { running: string; undoable: string }>()
  for (const { id, name, names } of records) {
    const { running } = await ask(`mutation { running: update${names}InBulk(input: { filter: {}, addTags: ["x"] }) { id } }`)
    const { undoable } = await ask(`mutation { undoable: delete${names}InBulk(input: { filter: { q: "nobody" } }) { id } }`)
    await ask(`mutation { cancel${name}BulkChange(input: { id: "${undoable.id}" }) { id } }`)
    bulk.set(id, { running: running.id, undoable: undoable.id })
  }
  return bulk
}

export const bulkWrites = (bulk: SeededBulk): Record<string, Tried> =>
  Object.fromEntries(
    records.flatMap(({ id, name, names }): [string, Tried][] => [
      [`update${names}InBulk`, ['{ filter: {}, addTags: ["tried"] }', '{ total }']],
      [`delete${names}InBulk`, ['{ filter: {} }', '{ total }']],
      [`restore${names}InBulk`, ['{ filter: {} }', '{ total }']],
      [`cancel${name}BulkChange`, [`{ id: "${bulk.get(id)?.running}" }`, '{ status }']],
      [`undo${name}BulkChange`, [`{ id: "${bulk.get(id)?.undoable}" }`, '{ action }']],
    ]),
  )
