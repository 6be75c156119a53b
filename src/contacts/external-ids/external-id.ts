// The ids that records, notes and tasks have in other systems: by them the next export of a system finds what the one before it has made.

import { type Context, organizationOf } from '../../kernel/context.ts'
import type { Batch } from '../../kernel/dataloaders.ts'
import { newId } from '../../kernel/ids.ts'
import { type Holder, holderNouns, ofHolders, selectByExternalIds } from './external-id.sql.ts'

/** `{ hubspot: "901" }`. Of several ids in one system it is the first. */
export type ExternalIds = Readonly<Record<string, string>>

const loader =
  (noun: Holder): Batch<string, ExternalIds> =>
  async (context, ids) => {
    const found = await context.db.query(ofHolders[noun].select, [organizationOf(context), ids])
    const byId = Map.groupBy(found, ({ id }) => id)
    // The first of a source stands last, and so wins.
    return ids.map(id =>
      Object.fromEntries((byId.get(id) ?? []).toReversed().map(({ source, externalId }) => [source, externalId] as const)),
    )
  }
/** Loads them by the id of their holder. */
export const externalIdLoaders = Object.fromEntries(holderNouns.map(noun => [noun, loader(noun)])) as Record<
  Holder,
  Batch<string, ExternalIds>
>

export interface ExternalKey {
  noun: Holder
  id: string
}
export const keyText = ({ noun, id }: ExternalKey): string => `${noun} ${id}`

/** The live records, notes and tasks with the ids, by `keyText`. */
export async function heldBy(
  { db }: Context,
  orgId: string,
  source: string,
  keys: readonly ExternalKey[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map()
  const found = await db.query(selectByExternalIds, [orgId, source, keys.map(({ noun }) => noun), keys.map(({ id }) => id)])
  return new Map(found.map(({ noun, externalId, id }) => [`${noun} ${externalId}`, id]))
}

/** Keeps the ids there of records, notes or tasks here; each id there once. */
export async function keepExternalIds(
  { db }: Context,
  orgId: string,
  source: string,
  noun: Holder,
  held: ReadonlyMap<string, string>,
): Promise<void> {
  if (held.size === 0) return
  await db.query(ofHolders[noun].insert, [orgId, source, [...held].map(() => newId()), [...held.keys()], [...held.values()]])
}
