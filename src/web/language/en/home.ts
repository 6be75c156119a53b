// Words of the widgets on the home page.

import type { DashboardWidgetGrouping, DashboardWidgetKind, SearchType } from '../../generated/schema.ts'
import { room } from '../language.ts'

export const homeWords = room('home', {
  widget: {
    CONTACTS_OVER_TIME: 'New contacts',
    CALLS_OVER_TIME: 'Calls over time',
    CREDITS_OVER_TIME: 'Credits spent',
    ANSWER_RATE: 'Answer rate',
    CONTACTS_BREAKDOWN: 'Contacts',
    CALLS_BREAKDOWN: 'Calls',
    SUGGESTIONS_BREAKDOWN: 'Suggestions',
    ENRICHMENT_JOBS: 'Data enrichment runs',
    TASKS_DUE: 'Tasks due',
    RECENT_CONTACTS: 'Recent contacts',
    RECENT_CALLS: 'Recent calls',
    PENDING_SUGGESTIONS: 'Suggestions to review',
  } satisfies Record<DashboardWidgetKind, string>,
  grouping: {
    COUNTRY: 'country',
    ENDED_REASON: 'reason for ending',
    FIELD: 'field',
    LIFECYCLE_STAGE: 'stage',
    OUTCOME: 'outcome',
    OWNER_USER_ID: 'owner',
    PROVIDER: 'source',
    SOURCE: 'source',
    STATUS: 'status',
    TAG: 'tag',
    VOICE_AGENT_ID: 'voice agent',
  } satisfies Record<DashboardWidgetGrouping, string>,
  by: (widget: string, grouping: string) => `${widget} by ${grouping}`,
  answered: { placed: 'Placed', answered: 'Answered' },
  found: { CONTACT: 'Contact', CALL: 'Call', AGENT: 'Voice agent', NOTE: 'Note' } satisfies Record<SearchType, string>,
})
