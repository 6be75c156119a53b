// Which queries a change makes stale. Rows change by themselves, because a change carries its entity. Lists, counts and sums do not.

import { fieldsOfNoun, fieldsWithId, type RootField } from '../generated/nouns.ts'
import type { Change } from './change.ts'

const contactCounts = ['dashboardWidget', 'tags', 'findDuplicates', 'mergePreview'] as const
const contactLists = ['contacts', 'dashboardWidget', 'tags'] as const

/**
 * Root fields that a change makes stale besides those of its own noun, which are generated. The longest beginning of the change's type counts.
 * A noun needs an entry only where other nouns or sums show it.
 */
const also: Readonly<Record<string, readonly RootField[] | 'all'>> = {
  AGENT_RUN: ['agentSessions', 'agentSession'],
  CALL: ['contact', 'dashboardWidget', 'waitingWork'],
  CONTACT: contactCounts,
  // The tasks of a deleted contact rest until it is restored.
  CONTACT_DELETED: [...contactCounts, 'tasks'],
  CONTACT_RESTORED: [...contactCounts, 'tasks'],
  CONTACT_NOTED: [],
  CONTACT_IMPORT: contactLists,
  CONTACT_IMPORT_UPDATED: ['contactImportRows', 'previewContactImport'],
  CONTACT_BULK_CHANGE: [...contactLists, 'tasks'],
  CONTACT_TASK: ['contact', 'dashboardWidget'],
  CREDITS: ['creditBalance', 'creditTransactions', 'dashboardWidget', 'groupCreditTransactions'],
  CUSTOM_FIELD: ['contacts', 'contact'],
  DELIVERY: ['agentDeliveries', 'agentRun', 'agentRuns'],
  ENRICHMENT_JOB: ['contact', 'dashboardWidget'],
  NOTE: ['contact'],
  OAUTH_GRANT: ['connectedClients'],
  ORGANIZATION: ['me', 'invitations'],
  SUGGESTION: ['contact', 'dashboardWidget', 'groupSuggestions'],
  SYSTEM_EVENT: ['agentSession'],
  TAG: ['contacts', 'contact'],
  // Names of people stand everywhere.
  USER: 'all',
  VOICE_AGENT: ['waitingWork'],
  WEBHOOK_ENDPOINT: ['webhookDeliveries'],
}

/** Root fields with the id of one object: stale only where the query names the changed object. A widget counts other objects. */
export const fieldsById: ReadonlySet<string> = new Set<string>(fieldsWithId.filter(field => field !== 'dashboardWidget'))

/** The root fields that a change makes stale. A type that no noun and no rule knows makes all of them stale: it is newer than this page. */
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

/** Whether the variables of a query by id name the changed entity or its contact. */
export function isAbout({ entityId, contactId }: Change, variables: unknown): boolean {
  const text = JSON.stringify(variables ?? {})
  return [entityId, contactId].some(id => id != null && text.includes(id))
}
