// GraphQL: what an OAuth client asks for, agreeing to it, and the clients that act for the signed-in user.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { users } from '../../kernel/nouns/nouns.ts'
import type { Scope } from '../../kernel/principal.ts'
import { ScopeEnum } from '../keys/key.graphql.ts'
import { allowClient, type ConnectedClient, connectedClients, disconnectClient } from './grant.ts'
import { type CheckedAuthorization, checkAuthorization, scopesToGive } from './request.ts'

const RequestType = builder.objectRef<CheckedAuthorization>('OAuthRequest').implement({
  description: 'An OAuth client that asks to act for a person, in a way that can be answered.',
  fields: t => ({
    clientName: t.string({ description: 'The name it gives itself. Nobody has checked it.', resolve: ({ client }) => client.name }),
    publishedBy: t.string({
      nullable: true,
      description: 'The host that publishes its metadata, which is checked; null for a client that has registered itself.',
      resolve: ({ client }) => (client.metadataUrl === null ? null : new URL(client.metadataUrl).host),
    }),
    redirectsTo: t.exposeString('redirectsTo', {
      description: 'Where the answer goes, as people read it: `127.0.0.1:4010`, `example.com`, `com.example.app:`.',
    }),
    scopes: t.field({
      type: [ScopeEnum],
      description: "Scopes it asks for, as far as the caller's role in the organization of the request has them.",
      resolve: ({ scopes }, _args, context) => [...scopesToGive(context, scopes)],
    }),
    deniedTo: t.exposeString('deniedTo', { description: 'The address to go to when the person refuses: its own, with `error`.' }),
  }),
})

const AllowedType = builder.objectRef<{ redirectTo: string }>('AllowedOAuthClient').implement({
  description: 'A client that was allowed to act for the user.',
  fields: t => ({
    redirectTo: t.exposeString('redirectTo', {
      description: 'The address to go to now: its own, with `code`, `state` and `iss`. The code is good once, for 60 seconds.',
      extensions: { isSecret: true },
    }),
  }),
})

const ConnectedType = builder.objectRef<ConnectedClient>('ConnectedClient').implement({
  description: 'An OAuth client that acts for the signed-in user in an organization.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id, for disconnecting it.' }),
    clientName: t.exposeString('clientName', { description: 'The name it gives itself. Nobody has checked it.' }),
    organizationId: t.exposeID('organizationId', { description: 'Where it acts.' }),
    scopes: t.field({
      type: [ScopeEnum],
      description: 'Scopes that the user agreed to. It never does more than the role of the user allows.',
      resolve: ({ scopes }) => [...scopes],
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user agreed.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'When it last acted, to the minute.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When it ends unless it is used before: 30 days after its last refresh.',
    }),
  }),
})

const requestFields = {
  clientId:
    'The id that `POST /oauth/register` gave to the client, or the HTTPS address of its metadata, which only sessions may name first.',
  redirectUri: 'An address that it has registered; of a loopback address the port may differ.',
  responseType: '`code`.',
  codeChallenge: 'PKCE: the SHA-256 of its verifier, in base64url.',
  codeChallengeMethod: '`S256`.',
  scope: 'Scopes such as `contacts:read`, with spaces between them. Default: all that read.',
  resource: 'The address of the MCP server (RFC 8707), which its tokens will be for.',
  state: 'Comes back as it is, at most 2000 characters.',
}

const AllowInput = builder.inputType('AllowOAuthClientInput', {
  description: 'A client that the user agrees to, with the parameters of its request.',
  fields: t => ({
    clientId: t.string({ required: true, description: requestFields.clientId }),
    redirectUri: t.string({ required: true, description: requestFields.redirectUri }),
    responseType: t.string({ description: requestFields.responseType }),
    codeChallenge: t.string({ description: requestFields.codeChallenge }),
    codeChallengeMethod: t.string({ description: requestFields.codeChallengeMethod }),
    scope: t.string({ description: requestFields.scope }),
    resource: t.string({ description: requestFields.resource }),
    state: t.string({ description: requestFields.state }),
    scopes: t.field({ type: [ScopeEnum], required: true, description: 'Scopes that the user agrees to, among the requested ones.' }),
  }),
})

builder.queryFields(t => ({
  oauthRequest: t.field({
    type: RequestType,
    description: 'Checks the request of an OAuth client before anybody agrees to it. INVALID names everything that is wrong.',
    authScopes: { public: true },
    args: {
      clientId: t.arg.string({ required: true, description: requestFields.clientId }),
      redirectUri: t.arg.string({ required: true, description: requestFields.redirectUri }),
      responseType: t.arg.string({ description: requestFields.responseType }),
      codeChallenge: t.arg.string({ description: requestFields.codeChallenge }),
      codeChallengeMethod: t.arg.string({ description: requestFields.codeChallengeMethod }),
      scope: t.arg.string({ description: requestFields.scope }),
      resource: t.arg.string({ description: requestFields.resource }),
      state: t.arg.string({ description: requestFields.state }),
    },
    resolve: (_parent, args, context) => checkAuthorization(context, args),
  }),
  connectedClients: t.field({
    type: [ConnectedType],
    description: 'The OAuth clients that act for the signed-in user, in all organizations, newest first.',
    authScopes: { signedIn: true },
    resolve: (_parent, _args, context) => connectedClients(context),
  }),
}))

builder.mutationFields(t => ({
  allowOAuthClient: t.field({
    type: AllowedType,
    description:
      'Lets an OAuth client act for the signed-in user in the organization of the request. INVALID for scopes that it has not asked for, or that the role of the user does not have.',
    authScopes: { signedIn: true },
    effect: { overwrites: true, undoneBy: 'disconnectClient', isIdempotent: true, cannotBeTried: 'a person confirms it on a page' },
    args: { input: t.arg({ type: AllowInput, required: true, description: 'The client.' }) },
    // `as`: `*` is none of the scopes that a client can ask for, so the rule refuses it.
    resolve: (_parent, { input }, context) => allowClient(context, { ...input, scopes: input.scopes as readonly Scope[] }),
  }),
  disconnectClient: t.field({
    type: ConnectedType,
    description: 'Disconnects an OAuth client: its tokens are refused from the next request on. NOT_FOUND for one that is not connected.',
    authScopes: { signedIn: true },
    effect: {
      overwrites: true,
      undoneBy: 'allowOAuthClient, when a person signs the client in again',
      cannotBeTried: 'a person confirms it on a page',
    },
    args: inputOfId('DisconnectClientInput', 'A connected client.'),
    resolve: (_parent, { input: { id } }, context) => disconnectClient(context, id),
  }),
}))

noun('oauth_grant', null, { mayRead: users })
