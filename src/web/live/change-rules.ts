// Which queries a change makes stale. Rows change by themselves, because each change carries its entity; lists, counts and sums do not.

import type { Change } from './change.ts'

/** Root fields that show one thing by its id: stale only where the query is about the thing that changed. */
export const fieldsById: ReadonlySet<string> = new Set([
  'agentRun',
  'agentSession',
  'call',
  'contact',
  'contactBulkChange',
  'contactImport',
  'contactImportRows',
  'previewContactImport',
  'duplicatesOf',
  'enrichmentJob',
  'mergePreview',
  'node',
  'note',
  'savedView',
  'suggestion',
  'task',
  'voiceAgent',
])

/** By the beginning of the change's type, the longest that fits: the root fields that it makes stale. */
const ofContacts = [
  ...['contacts', 'contact', 'groupContacts', 'tags', 'dashboard', 'dashboardWidget', 'stats'],
  ...['findDuplicates', 'duplicatesOf', 'mergePreview'],
]

const rules: readonly [prefix: string, fields: readonly string[]][] = [
  ['AGENT_RUN_', ['agentRuns', 'agentRun', 'agentSessions', 'agentSession', 'dashboard']],
  ['API_KEY_', ['apiKeys']],
  ['CALL_', ['calls', 'call', 'waitingWork', 'groupCalls', 'dashboard', 'dashboardWidget', 'stats', 'contact']],
  ['CONTACT_', ofContacts],
  // The tasks of a deleted contact rest until it is restored.
  ['CONTACT_DELETED', [...ofContacts, 'tasks']],
  ['CONTACT_RESTORED', [...ofContacts, 'tasks']],
  ['CONTACT_IMPORT_UPDATED', ['contactImports', 'contactImport', 'contactImportRows', 'previewContactImport']],
  ['CONTACT_IMPORT_', ['contactImports', 'contactImport', 'contacts', 'groupContacts', 'tags', 'dashboard', 'dashboardWidget', 'stats']],
  [
    'CONTACT_BULK_CHANGE_',
    ['contactBulkChange', 'contactBulkChanges', 'contacts', 'groupContacts', 'tags', 'tasks', 'dashboard', 'dashboardWidget', 'stats'],
  ],
  ['CONTACT_NOTED', ['contact', 'note']],
  ['CONTACT_TASK_', ['tasks', 'task', 'contact', 'dashboard', 'dashboardWidget']],
  ['CREDITS_', ['creditBalance', 'creditTransactions', 'groupCreditTransactions', 'dashboard', 'dashboardWidget']],
  ['DASHBOARD_WIDGET_', ['dashboardWidgets', 'dashboardWidget']],
  ['CUSTOM_FIELD_', ['customFields', 'contacts', 'contact']],
  ['DELIVERY_', ['agentDeliveries', 'agentRun', 'agentRuns']],
  ['DENIED_NUMBER_', ['deniedNumbers']],
  ['ENRICHMENT_JOB_', ['enrichmentJobs', 'enrichmentJob', 'dashboard', 'dashboardWidget', 'stats', 'contact']],
  ['INVITATION_', ['invitations']],
  ['NOTE_', ['contact', 'note']],
  ['ORGANIZATION_', ['organization', 'me', 'invitations']],
  ['SAVED_VIEW_', ['savedViews', 'savedView']],
  ['SUGGESTION_', ['suggestions', 'suggestion', 'groupSuggestions', 'dashboard', 'dashboardWidget', 'stats', 'contact']],
  ['SESSION_', ['sessions']],
  ['SYSTEM_EVENT_', ['systemEvents', 'agentSession']],
  ['TAG_', ['tags', 'contacts', 'contact', 'groupContacts']],
  ['VOICE_AGENT_', ['voiceAgents', 'voiceAgent', 'waitingWork']],
  ['VOICE_SETTINGS_', ['voiceSettings']],
  ['WIDGET_KEY_', ['widgetKeys']],
  ['WEBHOOK_ENDPOINT_', ['webhookEndpoints', 'webhookEndpoint', 'webhookDeliveries']],
]

const longestFirst = rules.toSorted(([a], [b]) => b.length - a.length)

/** The root fields that a change makes stale. A type that is newer than this page makes all of them stale. */
export function staleFields({ type }: Change): readonly string[] | 'all' {
  if (type === 'FOLLOWING') return []
  if (type === 'READ_AFRESH') return 'all'
  return longestFirst.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'all'
}

/** Whether a query by id, with these variables, is about what changed. */
export function isAbout({ entityId, contactId }: Change, variables: unknown): boolean {
  const text = JSON.stringify(variables ?? {})
  return [entityId, contactId].some(id => id != null && text.includes(id))
}
