// Sessions and `me` in the schema.

import { builder, inputOfId, isInternal } from '../../graphql/schema/builder.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { nobody } from '../../kernel/nouns/nouns.ts'
import { OrganizationType } from '../organizations/organization.graphql.ts'
import { deviceNameOf } from './device.ts'
import {
  type CreatedSession,
  createSession,
  currentSession,
  endSession,
  listSessions,
  type Me,
  me,
  revokeAllSessions,
  revokeOtherSessions,
  revokeSession,
  type Session,
  switchOrganization,
} from './session.ts'

export const MeType = builder.objectRef<Me>('Me').implement({
  description: 'The caller.',
  fields: t => ({
    id: t.exposeID('id', { description: "The caller's id: a user's, an API key's, or the one that a guest chose." }),
    userId: t.exposeID('userId', {
      description: "The identity provider's id of the user; of an API key its maker, of a guest the id the guest chose.",
    }),
    email: t.exposeString('email', { nullable: true, description: "The user's email address, where the provider told it." }),
    name: t.exposeString('name', { nullable: true, description: "The user's name, or the label of the API key." }),
    isGuest: t.exposeBoolean('isGuest', { description: 'Whether the caller may only look at the demo organization.' }),
    organizations: t.expose('organizations', { type: [OrganizationType], description: 'Where the caller has access.' }),
  }),
})

const SessionType = builder.objectRef<Session>('Session').implement({
  description: 'A signed-in app. It works until 30 days after its last use, or until it is revoked.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id, for revoking it. Not the token.' }),
    sessionToken: t.string({
      nullable: true,
      description: 'Always null: the token is shown once, when the session is created, and then known to its holder alone.',
      extensions: isInternal,
      resolve: () => null,
    }),
    userId: t.exposeID('userId', { description: 'Its user.' }),
    device: t.string({
      nullable: true,
      description: 'The name of the app and system that opened it, such as "Firefox on Windows".',
      resolve: ({ clientName, userAgent }) => clientName ?? deviceNameOf(userAgent),
    }),
    clientName: t.exposeString('clientName', {
      nullable: true,
      description: 'The name of the application or device that got it; null for a browser.',
    }),
    userAgent: t.exposeString('userAgent', { nullable: true, description: 'The User-Agent that opened it.' }),
    organizationId: t.exposeID('organizationId', {
      nullable: true,
      description: 'The organization that its requests without X-Org-Id are about, if it has chosen one.',
    }),
    ipAddress: t.exposeString('ipAddress', { nullable: true, description: 'The address it was opened from.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was opened.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', description: 'When it was last used, to the minute.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends unless it is used before.' }),
    isCurrent: t.exposeBoolean('isCurrent', { description: 'Whether it is the one that asks.' }),
  }),
})

export const CreatedSessionType = builder.objectRef<CreatedSession>('CreatedSession').implement({
  description: 'A session just opened.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id, for revoking it.', extensions: isInternal }),
    sessionToken: t.exposeString('sessionToken', {
      description: 'The token to send as `Authorization: Bearer`. Shown once.',
      extensions: { isSecret: true },
    }),
    userId: t.exposeID('userId', { description: "The identity provider's id of the user." }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends unless it is used before.' }),
  }),
})

builder.queryFields(t => ({
  me: t.field({
    type: MeType,
    description: 'The caller.',
    authScopes: { someone: true },
    resolve: (_parent, _args, context) => me(context),
  }),
  session: t.field({
    type: SessionType,
    nullable: true,
    description: 'The session that asks; null for a user named by the development header X-User-ID.',
    authScopes: { signedIn: true },
    resolve: (_parent, _args, context) => currentSession(context),
  }),
  sessions: t.field({
    type: [SessionType],
    description: "The user's sessions that still work, last used first.",
    authScopes: { signedIn: true },
    resolve: (_parent, _args, context) => listSessions(context),
  }),
}))

builder.mutationFields(t => ({
  createSession: t.field({
    type: CreatedSessionType,
    description: "Exchanges the identity provider's JWT for a session. A first-time user gets a personal organization.",
    authScopes: { identity: true },
    effect: { undoneBy: 'endSession', cannotBeTried: 'its failed attempts are counted' },
    resolve: (_parent, _args, context) => createSession(context),
  }),
  endSession: t.field({
    type: SessionType,
    nullable: true,
    description: 'Ends the session that asks: signing out. Null for a user named by the development header X-User-ID.',
    authScopes: { signedIn: true },
    effect: { overwrites: true },
    resolve: (_parent, _args, context) => endSession(context),
  }),
  revokeSession: t.field({
    type: SessionType,
    description: "Revokes one of the user's sessions. It is refused from the next request on.",
    authScopes: { signedIn: true },
    effect: { overwrites: true, isIdempotent: true },
    args: inputOfId('RevokeSessionInput', 'A session to end, by its id, not its token.'),
    resolve: (_parent, { input }, context) => revokeSession(context, input.id),
  }),
  switchOrganization: t.field({
    type: SessionType,
    description:
      'Chooses the organization that the requests of this session are about, unless they name another in X-Org-Id. CONFLICT for a user named by the development header X-User-ID.',
    authScopes: { signedIn: true },
    effect: { overwrites: true, undoneBy: 'switchOrganization back', isIdempotent: true },
    args: inputOfId('SwitchOrganizationInput', "One of the user's organizations."),
    resolve: (_parent, { input }, context) => switchOrganization(context, input.id),
  }),
  revokeAllSessions: t.field({
    type: [SessionType],
    description: "Revokes all of the user's sessions, the one that asks included, and every sign-in at the embedded identity provider.",
    authScopes: { signedIn: true },
    effect: { overwrites: true, isIdempotent: true },
    resolve: (_parent, _args, context) => revokeAllSessions(context),
  }),
  revokeOtherSessions: t.field({
    type: [SessionType],
    description: "Revokes all of the user's sessions but the one that asks, and disconnects the OAuth clients that were let in from them.",
    authScopes: { signedIn: true },
    effect: { overwrites: true, isIdempotent: true },
    resolve: (_parent, _args, context) => revokeOtherSessions(context),
  }),
}))

// Sign-ins are private to their user.
noun('session', null, { mayRead: nobody })
