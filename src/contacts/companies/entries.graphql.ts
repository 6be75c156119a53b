// GraphQL: what events of companies tell in timelines.

import { builder } from '../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../graphql/schema/entry.graphql.ts'
import { eventChanges } from '../../graphql/schema/event.graphql.ts'
import { mergeEntries, otherOf } from '../merge/entries.graphql.ts'
import { CompanyType } from './company.graphql.ts'
import { loadCompanies } from './company.ts'
import { companyEvents } from './row.ts'

const moment = (name: string, description: string) =>
  builder.objectRef<TimelineRow>(name).implement({
    description,
    fields: t => ({ companyId: t.exposeID('entityId', { description: 'The company.' }) }),
  })

entryOf([companyEvents.created], moment('CompanyCreatedEntry', 'The company was added.'))
entryOf([companyEvents.deleted], moment('CompanyDeletedEntry', 'The company was deleted.'))
entryOf([companyEvents.restored], moment('CompanyRestoredEntry', 'The company was brought back.'))

entryOf(
  [companyEvents.updated],
  builder.objectRef<TimelineRow>('CompanyChangedEntry').implement({
    description: 'The company was changed.',
    fields: t => ({ changes: t.field(eventChanges) }),
  }),
)

const companies = { type: CompanyType, loadRows: loadCompanies }
mergeEntries('company', { name: 'Company', ...companies, events: companyEvents })
entryOf(
  [companyEvents.duplicate_dismissed],
  builder.objectRef<TimelineRow>('CompanyDuplicateDismissedEntry').implement({
    description: 'Somebody said that another company is not the same.',
    fields: otherOf('company', companies, 'otherId'),
  }),
)
