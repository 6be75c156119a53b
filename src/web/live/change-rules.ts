// Decides which queries a change makes stale. A change carries its entity, so rows update without a query; lists, counts and sums do not.

import { fieldsOfNoun, fieldsWithId, type RootField } from '../generated/nouns.ts'
import { type Change, idsOf } from './change.ts'

const contactCounts = ['dashboardWidget', 'tags', 'findDuplicates', 'mergePreview'] as const
const companyPairs = ['findCompanyDuplicates', 'companyMergePreview'] as const
const contactLists = ['contacts', 'dashboardWidget', 'tags'] as const

/**
 * Root fields that a change makes stale, in addition to the generated fields of its own noun. The longest prefix of the change's type decides. A
 * noun needs an entry only when other nouns or sums show it.
 */
const also: Readonly<Record<string, readonly RootField[] | 'all'>> = {
  AGENT_RUN: ['agentSessions', 'agentSession'],
  CALL: ['contact', 'deal', 'dashboardWidget', 'waitingWork'],
  CONTACT: contactCounts,
  // The tasks of a deleted contact are hidden until it is restored.
  CONTACT_DELETED: [...contactCounts, 'tasks'],
  CONTACT_RESTORED: [...contactCounts, 'tasks'],
  CONTACT_NOTED: [],
  // One import may write all of them.
  CONTACT_IMPORT: [...contactLists, 'companies', 'deals', 'dealBoard', 'tasks'],
  CONTACT_IMPORT_UPDATED: ['contactImportRows', 'checkContactImport'],
  CONTACT_BULK_CHANGE: [...contactLists, 'tasks'],
  CONTACT_TASK: ['dashboardWidget'],
  CREDITS: ['creditBalance', 'creditTransactions', 'dashboardWidget', 'groupCreditTransactions'],
  COMPANY: ['tags', 'deals', ...companyPairs],
  COMPANY_BULK_CHANGE: ['companies', 'tags', 'deals', ...companyPairs],
  CUSTOM_FIELD: ['contacts', 'contact', 'companies', 'company', 'deals', 'deal'],
  // The first deal brings its widgets.
  DEAL: ['dealBoard', 'tags', 'dashboardWidget', 'dashboardWidgets'],
  DEAL_BULK_CHANGE: ['deals', 'dealBoard', 'tags', 'dashboardWidget'],
  DELIVERY: ['agentDeliveries', 'agentRun', 'agentRuns'],
  ENRICHMENT_JOB: ['contact', 'dashboardWidget'],
  INBOX_ITEM: ['inboxCount'],
  OAUTH_GRANT: ['connectedClients'],
  ORGANIZATION: ['me', 'invitations'],
  ORGANIZATION_SAMPLE_DATA: 'all',
  SUGGESTION: ['contact', 'dashboardWidget', 'groupSuggestions'],
  SYSTEM_EVENT: ['agentSession'],
  PIPELINE: ['dealBoard', 'deals', 'deal', 'dashboardWidget'],
  TAG: ['contacts', 'contact', 'companies', 'company', 'deals', 'deal'],
  // Names of people appear in every list.
  USER: 'all',
  VOICE_AGENT: ['waitingWork'],
  WEBHOOK_ENDPOINT: ['webhookDeliveries'],
}

/**
 * Root fields that take an id. Such a query is stale only when its id is the changed object's. A widget and a board also take an id, but show
 * other objects.
 */
export const fieldsById: ReadonlySet<string> = new Set<string>(
  fieldsWithId.filter(field => field !== 'dashboardWidget' && field !== 'dealBoard'),
)

/** The root fields that a change makes stale. An unknown type is newer than this page, and makes all fields stale. */
export function staleFields({ type }: Pick<Change, 'type'>): readonly string[] | 'all' {
  if (type === 'FOLLOWING') return []
  const own = longest(fieldsOfNoun, type)
  const others = longest(also, type)
  return others === 'all' || !(own || others) ? 'all' : [...(own ?? []), ...(others ?? [])]
}

function longest<Value>(byPrefix: Readonly<Record<string, Value>>, type: string): Value | undefined {
  const words = type.split('_')
  const prefixes = words.map((_word, index) => words.slice(0, words.length - index).join('_'))
  return prefixes.map(prefix => byPrefix[prefix]).find(value => value !== undefined)
}

/** Whether a query with these variables reads the changed object. */
export function isAbout(change: Change, variables: unknown): boolean {
  const text = JSON.stringify(variables ?? {})
  return idsOf(change).some(id => text.includes(id))
}
