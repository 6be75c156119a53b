// GraphQL: what events of deals tell in timelines.

import { builder } from '../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../graphql/schema/entry.graphql.ts'
import { eventChanges } from '../../graphql/schema/event.graphql.ts'
import { dealEvents } from './row.ts'

const moment = (name: string, description: string) =>
  builder.objectRef<TimelineRow>(name).implement({
    description,
    fields: t => ({ dealId: t.exposeID('entityId', { description: 'The deal.' }) }),
  })
const change = (name: string, description: string) =>
  builder.objectRef<TimelineRow>(name).implement({
    description,
    fields: t => ({ dealId: t.exposeID('entityId', { description: 'The deal.' }), changes: t.field(eventChanges) }),
  })

entryOf([dealEvents.created], moment('DealCreatedEntry', 'The deal was added.'))
entryOf([dealEvents.deleted], moment('DealDeletedEntry', 'The deal was deleted.'))
entryOf([dealEvents.restored], moment('DealRestoredEntry', 'The deal was brought back.'))
entryOf([dealEvents.updated], change('DealChangedEntry', 'The deal was changed.'))
entryOf([dealEvents.moved], change('DealMovedEntry', 'The deal was moved to another stage: `stage` has the names.'))
