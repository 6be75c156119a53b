// The kinds of widgets: the label, width and options of each.

import type { DashboardWidgetGrouping, DashboardWidgetKind } from '../generated/schema.ts'

export interface WidgetKind {
  label: string
  width: 'wide' | 'narrow'
  /** The counted noun, singular and plural. */
  nouns: readonly [string, string]
  ranges: boolean
  groupings: readonly DashboardWidgetGrouping[]
  /** Whether the widget can go without a grouping. */
  isPlain?: boolean
}

const plain = { width: 'narrow', ranges: false, groupings: [] } as const
const series = { width: 'wide', ranges: true, isPlain: true } as const
const ofContacts = ['LIFECYCLE_STAGE', 'SOURCE', 'OWNER_USER_ID', 'COUNTRY', 'TAG'] as const
const ofCalls = ['OUTCOME', 'STATUS', 'VOICE_AGENT_ID', 'ENDED_REASON'] as const

export const widgetKinds = {
  CONTACTS_OVER_TIME: { ...series, label: 'Contacts over time', nouns: ['contact', 'contacts'], groupings: ['LIFECYCLE_STAGE', 'SOURCE'] },
  CALLS_OVER_TIME: { ...series, label: 'Calls over time', nouns: ['call', 'calls'], groupings: ['OUTCOME', 'STATUS', 'VOICE_AGENT_ID'] },
  CREDITS_OVER_TIME: { ...series, label: 'Credits spent', nouns: ['credit', 'credits'], groupings: [] },
  ANSWER_RATE: { ...plain, label: 'Answer rate', nouns: ['call', 'calls'], ranges: true },
  CONTACTS_BREAKDOWN: { ...plain, label: 'Contacts by part', nouns: ['contact', 'contacts'], ranges: true, groupings: ofContacts },
  CALLS_BREAKDOWN: { ...plain, label: 'Calls by part', nouns: ['call', 'calls'], ranges: true, groupings: ofCalls },
  SUGGESTIONS_BREAKDOWN: {
    ...plain,
    label: 'Suggestions by part',
    nouns: ['suggestion', 'suggestions'],
    ranges: true,
    groupings: ['STATUS', 'FIELD', 'PROVIDER'],
  },
  ENRICHMENT_JOBS: { ...plain, label: 'Enrichment jobs', nouns: ['job', 'jobs'] },
  TASKS_DUE: { ...plain, label: 'Tasks due', nouns: ['task', 'tasks'], ranges: true },
  RECENT_CONTACTS: { ...plain, label: 'Recent contacts', nouns: ['contact', 'contacts'] },
  RECENT_CALLS: { ...plain, label: 'Recent calls', nouns: ['call', 'calls'] },
  PENDING_SUGGESTIONS: { ...plain, label: 'Suggestions that wait', nouns: ['suggestion', 'suggestions'] },
} as const satisfies Record<DashboardWidgetKind, WidgetKind>

const groupingNames = {
  COUNTRY: 'country',
  ENDED_REASON: 'reason of the end',
  FIELD: 'field',
  LIFECYCLE_STAGE: 'stage',
  OUTCOME: 'outcome',
  OWNER_USER_ID: 'owner',
  PROVIDER: 'provider',
  SOURCE: 'source',
  STATUS: 'status',
  TAG: 'tag',
  VOICE_AGENT_ID: 'agent',
} as const satisfies Record<DashboardWidgetGrouping, string>

export const groupingName = (grouping: DashboardWidgetGrouping): string => groupingNames[grouping]

export const rangeChoices = [7, 30, 90, 365] as const

interface Named {
  kind: DashboardWidgetKind
  title: string | null
  groupBy: DashboardWidgetGrouping | null
}

/** The widget's own title, or the label of its kind with its grouping. */
export function widgetTitle({ kind, title, groupBy }: Named): string {
  if (title) return title
  const { label } = widgetKinds[kind]
  return groupBy ? `${label.replace(/ by part$/, '')} by ${groupingNames[groupBy]}` : label
}
