// Words about contacts: stages, sources, fields, and the kinds of things in their history.

import type { ContactSource, DuplicateReason, LifecycleStage } from '../../generated/schema.ts'
import { room } from '../language.ts'

export const contactWords = room('contacts', {
  // In the order of the funnel, which is the order of choices.
  stage: {
    SUBSCRIBER: 'Subscriber',
    LEAD: 'Lead',
    QUALIFIED: 'Qualified',
    OPPORTUNITY: 'Opportunity',
    CUSTOMER: 'Customer',
    EVANGELIST: 'Advocate',
    OTHER: 'Other',
  } satisfies Record<LifecycleStage, string>,
  source: {
    WEB: 'Added in the app',
    IMPORT: 'Import',
    API: 'API',
    DESKTOP: 'Desktop app',
    VOICE: 'Voice call',
    ENRICHMENT: 'Data enrichment',
    AGENT: 'Assistant',
    HOOK: 'Incoming webhook',
    SYSTEM: 'Rolocom',
  } satisfies Record<ContactSource, string>,
  tabs: { fields: 'Fields', timeline: 'Timeline', notes: 'Notes', tasks: 'Tasks', calls: 'Calls' },
  kinds: { changes: 'Changes', notes: 'Notes', tasks: 'Tasks', calls: 'Calls', enrichment: 'Data enrichment' },
  bulk: {
    stage: 'Stage',
    task: 'Task',
    more: 'More',
    doNotCall: 'Do not call',
    mayCall: 'May be called again',
    newTask: (contacts: string) => `New task for ${contacts}`,
    title: 'Title',
    titleNeeded: 'Enter a title',
    toMe: 'Assign to me',
    addTask: 'Add tasks',
  },
  changeStage: 'Change the stage',
  saveAsView: 'Save as a view',
  duplicateReason: {
    EMAIL: 'Same email',
    PHONE: 'Same phone',
    NAME_AND_COMPANY: 'Same name and company',
    SIMILAR_NAME: 'Similar name',
  } satisfies Record<DuplicateReason, string>,
})
