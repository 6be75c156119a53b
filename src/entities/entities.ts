// Entities: by their names in events, the GraphQL type, the read check and the loader.

import { loadChanges } from '../contacts/bulk/bulk.ts'
import { loadContacts } from '../contacts/contact/contact.ts'
import { loadCustomFields } from '../contacts/custom-fields/field.ts'
import { loadImports } from '../contacts/imports/import.ts'
import { loadNotes } from '../contacts/notes/note.ts'
import { loadTasks } from '../contacts/tasks/task.ts'
import { loadViews, maySeeEventOfView } from '../contacts/views/view.ts'
import { maySeeEvent } from '../credits/accounts/account.ts'
import { balance } from '../credits/accounts/balance.ts'
import { tellsOfWidget } from '../dashboard/widgets/widget.ts'
import { loadJobs } from '../enrichment/jobs/job.ts'
import { loadSuggestions } from '../enrichment/suggestions/suggestion.ts'
import { loadRuns } from '../gateway/runs/run.ts'
import { loadEvents, loadSessions } from '../gateway/sessions/lists.ts'
import { loadInvitations } from '../identity/invitations/mailed.ts'
import { loadOrganizations } from '../identity/organizations/organization.ts'
import { loadUsers } from '../identity/users/user.ts'
import type { Context } from '../kernel/context.ts'
import { type Batch, load } from '../kernel/dataloaders.ts'
import type { OutboxEvent } from '../kernel/events/event.sql.ts'
import { isAllowed, isAtLeast, type Scope } from '../kernel/principal.ts'
import { loadAgents } from '../voice/agents/agent.ts'
import { loadCalls } from '../voice/calls/call.ts'
import { loadEndpoints } from '../webhooks/endpoints/endpoint.ts'

/** The subject of an event. */
export interface Subject {
  /** The scope that it takes. Absent: no API key may read it. */
  scope?: Scope
  mayRead(context: Context): boolean
  /** Whether the caller may see the event. Absent: callers with the scope may see all events of the organization. */
  isOwn?(context: Context, event: Pick<OutboxEvent, 'entityId' | 'changes'>): Promise<boolean>
}

export interface Entity extends Subject {
  /** The name of its type in the schema. */
  typename: string
  /** Set if its ids come from the identity provider, whose ids need not be UUIDs. */
  hasTextId?: true
  /** The current entity, deleted or not; null when its row is gone. */
  load(context: Context, id: string): Promise<object | null>
}

/** By the names used in events. */
export const entities = {
  contact: scoped('Contact', 'contacts:read', loadContacts),
  contact_bulk_change: scoped('ContactBulkChange', 'contacts:read', loadChanges),
  contact_import: scoped('ContactImport', 'contacts:read', loadImports),
  custom_field: scoped('CustomField', 'contacts:read', loadCustomFields),
  note: scoped('Note', 'contacts:read', loadNotes),
  contact_task: scoped('ContactTask', 'contacts:read', loadTasks),
  saved_view: { ...scoped('SavedView', 'contacts:read', loadViews), isOwn: maySeeEventOfView },
  agent: scoped('VoiceAgent', 'agents:read', loadAgents),
  call: scoped('Call', 'calls:read', loadCalls),
  enrichment_job: scoped('EnrichmentJob', 'enrich:read', loadJobs),
  suggestion: scoped('Suggestion', 'enrich:read', loadSuggestions),
  agent_run: forUsers('AgentRun', loadRuns),
  agent_session: forUsers('AgentSession', loadSessions),
  system_event: forUsers('SystemEvent', loadEvents),
  organization: forUsers('Organization', loadOrganizations),
  invitation: {
    typename: 'Invitation',
    mayRead: ({ principal }) => principal.kind === 'session' && principal.role !== null && isAtLeast(principal.role, 'admin'),
    load: (context, id) => load(context, loadInvitations, id),
  },
  webhook_endpoint: scoped('WebhookEndpoint', 'webhooks:manage', loadEndpoints),
  user: { ...forUsers('User', loadUsers), hasTextId: true },
  // Only the caller's own account, or its part for the organization: an organization also has events of the accounts of other members.
  credits: {
    typename: 'CreditBalance',
    ...withScope('credits:read'),
    isOwn: maySeeEvent,
    load: context => balance(context),
  },
} as const satisfies Record<string, Entity>

export type EntityName = keyof typeof entities

/** The subjects of events: the entities, and nouns without a loader by id. Sessions are absent, because they are private to their user. */
const subjects: Record<string, Subject> = {
  ...entities,
  tag: withScope('contacts:read'),
  delivery: { mayRead: isUser },
  denied_number: withScope('calls:read'),
  voice_settings: withScope('calls:read'),
  contact_export: withScope('contacts:read'),
  api_key: { mayRead: isUser },
  oauth_grant: { mayRead: isUser },
  dashboard_widget: { mayRead: isUser, isOwn: tellsOfWidget },
  widget_key: { mayRead: isUser, isOwn: tellsOfWidget },
}

export const entityNamed = (name: string): Entity | undefined => (Object.hasOwn(entities, name) ? entities[name as EntityName] : undefined)
export const subjectNamed = (name: string): Subject | undefined => (Object.hasOwn(subjects, name) ? subjects[name] : undefined)

/** The names of the subjects that the caller may read. */
export const readableSubjects = (context: Context): string[] => Object.keys(subjects).filter(name => subjects[name]?.mayRead(context))

function scoped(typename: string, scope: Scope, batch: Batch<string, object | null>): Entity {
  return { typename, ...withScope(scope), load: (context, id) => load(context, batch, id) }
}

function withScope(scope: Scope): Pick<Subject, 'scope' | 'mayRead'> {
  return { scope, mayRead: ({ principal }) => isAllowed(principal, scope) }
}

// The gateway belongs to the users of the organization, so API keys and guests cannot read it.
function forUsers(typename: string, batch: Batch<string, object | null>): Entity {
  return { typename, mayRead: isUser, load: (context, id) => load(context, batch, id) }
}

function isUser({ principal }: Context): boolean {
  return principal.kind === 'session'
}
