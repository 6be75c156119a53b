// GraphQL: what merges of records tell in timelines.

import type { ObjectRef } from '@pothos/core'
import { builder } from '../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../graphql/schema/entry.graphql.ts'
import { FieldChangeType } from '../../graphql/schema/event.graphql.ts'
import { type Batch, load } from '../../kernel/dataloaders.ts'
import { changesWithin, textOf } from '../../kernel/events/told.ts'
import { isId } from '../../kernel/ids.ts'
import type { EventType } from '../../kernel/nouns/events.ts'
import type { MergedNoun } from './move.sql.ts'

interface NounWithMerges<Row> {
  /** The name of the type. */
  name: string
  type: ObjectRef<typeof builder.$inferSchemaTypes, Row>
  loadRows: Batch<string, Row | null>
  events: { merged: EventType; unmerged: EventType }
}

/** The fields of the other record, whose id is in a detail of the event. */
export const otherOf =
  <Row>(noun: MergedNoun, { type, loadRows }: Pick<NounWithMerges<Row>, 'type' | 'loadRows'>, detail: string) =>
  (t: PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, TimelineRow>) => ({
    otherId: t.id({ nullable: true, description: `The other ${noun}.`, resolve: entry => textOf(entry, detail) }),
    other: t.field({
      type: type as ObjectRef<typeof builder.$inferSchemaTypes, object>,
      nullable: true,
      description: `The other ${noun}, deleted or not; null for one that is gone.`,
      resolve(entry, _args, context) {
        const id = textOf(entry, detail)
        // `as`: the rows are objects of this type.
        return id !== null && isId(id) ? (load(context, loadRows, id) as Promise<object | null>) : null
      },
    }),
  })

/** Declares the entries of a noun. */
export function mergeEntries<Row>(noun: MergedNoun, merged: NounWithMerges<Row>): void {
  const { name, events } = merged
  const mergeEntry = (entryName: string, description: string) =>
    builder.objectRef<TimelineRow>(entryName).implement({
      description,
      fields: t => ({
        ...otherOf(noun, merged, 'loserId')(t),
        mergeId: t.id({ nullable: true, description: 'The merge, for undoing it.', resolve: entry => textOf(entry, 'mergeId') }),
        changes: t.field({
          type: [FieldChangeType],
          description: `The fields of this ${noun} that got other values.`,
          resolve: entry => changesWithin(entry, 'fields'),
        }),
      }),
    })
  entryOf([events.merged], mergeEntry(`${name}MergedEntry`, `Another ${noun} was merged into this one.`))
  entryOf([events.unmerged], mergeEntry(`${name}UnmergedEntry`, `A merge was undone: the other ${noun} is back.`))
}
