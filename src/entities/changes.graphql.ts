// GraphQL: the subscription to changes of all entities.

import { ContactBulkChangeType } from '../contacts/bulk/bulk.graphql.ts'
import { ContactType } from '../contacts/contact/contact.graphql.ts'
import { CustomFieldObject } from '../contacts/custom-fields/field.graphql.ts'
import { ContactImportType } from '../contacts/imports/import.graphql.ts'
import { NoteType } from '../contacts/notes/note.graphql.ts'
import { ContactTaskType } from '../contacts/tasks/task.graphql.ts'
import { SavedViewType } from '../contacts/views/view.graphql.ts'
import { BalanceType } from '../credits/accounts/balance.graphql.ts'
import { JobType } from '../enrichment/jobs/job.graphql.ts'
import { SuggestionType } from '../enrichment/suggestions/suggestion.graphql.ts'
import { SystemEventType } from '../gateway/heartbeat/event.graphql.ts'
import { AgentRunType } from '../gateway/runs/run.graphql.ts'
import { ActorType } from '../graphql/schema/actor.graphql.ts'
import { builder } from '../graphql/schema/builder.ts'
import { enumOfEvents, eventChanges } from '../graphql/schema/event.graphql.ts'
import { InvitationType } from '../identity/invitations/invitation.graphql.ts'
import { OrganizationType } from '../identity/organizations/organization.graphql.ts'
import { UserType } from '../identity/users/user.graphql.ts'
import { signals } from '../kernel/events/follower.ts'
import { allEvents, type EventType } from '../kernel/nouns/events.ts'
import { VoiceAgentType } from '../voice/agents/agent.graphql.ts'
import { CallType } from '../voice/calls/call.graphql.ts'
import { WebhookEndpointType } from '../webhooks/endpoints/endpoint.graphql.ts'
import { type Change, entityIdOf, entityOf, followChanges, idOf } from './changes.ts'
import { subjectNamed } from './entities.ts'

const ChangeTypeEnum = enumOfEvents<Change['type']>(
  'ChangeType',
  'What happened: the types of events, and two signals about the stream itself.',
  () => [...allEvents().filter(({ entity }) => subjectNamed(entity)), ...signals],
)

export const ChangedEntity = builder.unionType('ChangedEntity', {
  description: 'What a change is about.',
  types: [
    ContactType,
    ContactBulkChangeType,
    ContactImportType,
    CustomFieldObject,
    NoteType,
    ContactTaskType,
    SavedViewType,
    VoiceAgentType,
    CallType,
    JobType,
    SuggestionType,
    AgentRunType,
    SystemEventType,
    OrganizationType,
    InvitationType,
    UserType,
    BalanceType,
    WebhookEndpointType,
  ],
})

const ChangeObject = builder.objectRef<Change>('Change').implement({
  description: 'Something that happened in the organization.',
  fields: t => ({
    id: t.id({ description: 'Give it as `after` to go on behind this change.', resolve: idOf }),
    type: t.expose('type', { type: ChangeTypeEnum, description: 'What happened.' }),
    entityId: t.id({
      nullable: true,
      description:
        'The id of what it is about: of a delivery the run, of voice settings the organization, of a denied number the telephone number. Null for a signal.',
      resolve: entityIdOf,
    }),
    entity: t.field({
      type: ChangedEntity,
      nullable: true,
      description:
        'What it is about as it is by now, which may be newer than the change; of a delivery, its run. Null for a signal, for API keys, denied numbers, tags and voice settings, and when it is gone.',
      // `as never`: the row's type follows from the event, and is its `__typename`.
      resolve: (change, _args, context) => entityOf(context, change) as never,
    }),
    contactId: t.id({
      nullable: true,
      description: 'The contact whose timeline shows it, if any.',
      resolve: change => change.event?.contactId,
    }),
    actor: t.field({
      type: ActorType,
      nullable: true,
      description: 'Who did it; null for a signal.',
      resolve: change => change.event?.actor,
    }),
    changes: t.field({ ...eventChanges, resolve: ({ event }) => eventChanges.resolve(event) }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it happened.',
      resolve: ({ event, position }) => event?.createdAt ?? new Date(position.at * 1000).toISOString(),
    }),
  }),
})

builder.subscriptionField('changes', t =>
  t.field({
    type: ChangeObject,
    description:
      'What changes in the organization and the caller may read, in the order it was committed; per entity in the order it happened. One stream serves a whole application. It begins with FOLLOWING, or goes on behind `after`. Runs, system events, deliveries, API keys and organizations are for signed-in users. Not delivered: the sign-ins of users, which are private; that a heartbeat took or saw a system event, for which AGENT_RUN_STARTED and AGENT_RUN_COMPLETED of its run come.',
    authScopes: { someone: true },
    args: {
      after: t.arg.string({ description: 'The id of the last change received. Default: from now on.' }),
      types: t.arg({ type: [ChangeTypeEnum], description: 'Only these; signals always come. Default: all.' }),
    },
    subscribe: (_root, { after, types }, context) => followChanges(context, { after, types: types as EventType[] | null }),
    resolve: change => change,
  }),
)
