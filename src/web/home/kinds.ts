// The kinds of widgets: the label, width and options of each.

import type { DashboardWidgetGrouping, DashboardWidgetKind } from '../generated/schema.ts'
import { callWords, endedReasonWords } from '../language/en/calls.ts'
import { contactWords } from '../language/en/contacts.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { homeWords } from '../language/en/home.ts'
import { peopleWords } from '../language/en/people.ts'
import { nounWords, valueWords } from '../language/en/values.ts'
import type { Plural } from '../language/format.ts'
import { countryName, fieldLabel, sentence, wordOf } from '../language/values.ts'

export interface WidgetKind {
  width: 'wide' | 'narrow'
  /** The counted noun, with its plural. */
  nouns: Plural
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
  CONTACTS_OVER_TIME: { ...series, nouns: nounWords.contact, groupings: ['LIFECYCLE_STAGE', 'SOURCE'] },
  CALLS_OVER_TIME: { ...series, nouns: nounWords.call, groupings: ['OUTCOME', 'STATUS', 'VOICE_AGENT_ID'] },
  CREDITS_OVER_TIME: { ...series, nouns: nounWords.credit, groupings: [] },
  ANSWER_RATE: { ...plain, nouns: nounWords.call, ranges: true },
  CONTACTS_BREAKDOWN: { ...plain, nouns: nounWords.contact, ranges: true, groupings: ofContacts },
  CALLS_BREAKDOWN: { ...plain, nouns: nounWords.call, ranges: true, groupings: ofCalls },
  SUGGESTIONS_BREAKDOWN: {
    ...plain,

    nouns: nounWords.suggestion,
    ranges: true,
    groupings: ['STATUS', 'FIELD', 'PROVIDER'],
  },
  ENRICHMENT_JOBS: { ...plain, nouns: nounWords.run },
  TASKS_DUE: { ...plain, nouns: nounWords.task, ranges: true },
  DEALS_BY_STAGE: { ...plain, nouns: nounWords.deal },
  DEALS_FORECAST: { ...plain, width: 'wide', nouns: nounWords.deal },
  DEALS_WIN_RATE: { ...plain, nouns: nounWords.deal, ranges: true },
  DAYS_IN_STAGE: { ...plain, nouns: nounWords.deal, ranges: true },
  DEAL_ACTIVITY: { ...plain, nouns: nounWords.deal, ranges: true },
  RECENT_CONTACTS: { ...plain, nouns: nounWords.contact },
  RECENT_CALLS: { ...plain, nouns: nounWords.call },
  PENDING_SUGGESTIONS: { ...plain, nouns: nounWords.suggestion },
} as const satisfies Record<DashboardWidgetKind, WidgetKind>

const kindsOfDeals = ['DEALS_BY_STAGE', 'DEALS_FORECAST', 'DEALS_WIN_RATE', 'DAYS_IN_STAGE', 'DEAL_ACTIVITY'] as const
/** Whether deals/widget.tsx shows it. */
export const isOfDeals = (kind: DashboardWidgetKind): kind is (typeof kindsOfDeals)[number] => kindsOfDeals.some(one => one === kind)

export const rangeChoices = [7, 30, 90, 365] as const

interface Names {
  names: readonly { key: string; name: string }[] | null
}

interface Named {
  kind: DashboardWidgetKind
  title: string | null
  groupBy: DashboardWidgetGrouping | null
}

/** The word of a part that a widget counts, such as a stage. */
export function partWord({ kind, groupBy, names }: Named & Names, key: string | null | undefined): string {
  if (!key) return groupBy === 'OWNER_USER_ID' ? homeWords.nobody : valueWords.none
  if (groupBy === 'OWNER_USER_ID' || groupBy === 'VOICE_AGENT_ID')
    return names?.find(one => one.key === key)?.name || (groupBy === 'OWNER_USER_ID' ? peopleWords.formerMember : homeWords.deletedAgent)
  if (groupBy === 'FIELD') return fieldLabel(key)
  const of = wordsOf[kind === 'SUGGESTIONS_BREAKDOWN' || kind === 'ENRICHMENT_JOBS' ? kind : 'others'][groupBy ?? 'STATUS']
  return of ? sentence(wordOf(of, key)) : groupBy === 'COUNTRY' ? countryName(key) : key
}

type Words = Readonly<Record<string, string>>
const wordsOf: Record<'SUGGESTIONS_BREAKDOWN' | 'ENRICHMENT_JOBS' | 'others', Partial<Record<DashboardWidgetGrouping, Words>>> = {
  SUGGESTIONS_BREAKDOWN: { STATUS: enrichmentWords.suggestionStatus, PROVIDER: enrichmentWords.provider },
  ENRICHMENT_JOBS: { STATUS: enrichmentWords.runStatus },
  others: {
    LIFECYCLE_STAGE: contactWords.stage,
    SOURCE: contactWords.source,
    OUTCOME: callWords.outcome,
    STATUS: callWords.status,
    ENDED_REASON: endedReasonWords,
  },
}

/** The widget's own title, or the name of its kind with its grouping. */
export function widgetTitle({ kind, title, groupBy }: Named): string {
  if (title) return title
  const name = homeWords.widget[kind]
  return groupBy ? homeWords.by(name, homeWords.grouping[groupBy]) : name
}
