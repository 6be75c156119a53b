// GraphQL: what events of deals tell in timelines.

import { builder } from '../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../graphql/schema/entry.graphql.ts'
import { eventChanges } from '../../graphql/schema/event.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { DealType } from './deal.graphql.ts'
import { loadDeals } from './deal.ts'
import { dealEvents } from './row.ts'

type Fields = Parameters<Parameters<ReturnType<typeof builder.objectRef<TimelineRow>>['implement']>[0]['fields'] & object>[0]

const ofDeal = (t: Fields) => ({
  dealId: t.exposeID('entityId', { description: 'The deal.' }),
  deal: t.field({
    type: DealType,
    nullable: true,
    description: 'The deal as it is now, deleted or not.',
    resolve: ({ entityId }: TimelineRow, _args, context) => load(context, loadDeals, entityId),
  }),
})
const moment = (name: string, description: string) =>
  builder.objectRef<TimelineRow>(name).implement({
    description,
    fields: ofDeal,
  })
const change = (name: string, description: string) =>
  builder.objectRef<TimelineRow>(name).implement({
    description,
    fields: t => ({ ...ofDeal(t), changes: t.field(eventChanges) }),
  })

entryOf([dealEvents.created], moment('DealCreatedEntry', 'The deal was added.'))
entryOf([dealEvents.deleted], moment('DealDeletedEntry', 'The deal was deleted.'))
entryOf([dealEvents.restored], moment('DealRestoredEntry', 'The deal was brought back.'))
entryOf([dealEvents.updated], change('DealChangedEntry', 'The deal was changed.'))
entryOf([dealEvents.moved], change('DealMovedEntry', 'The deal was moved to another stage: `stage` has the names.'))
