// API keys in the schema. Only a session may manage them: a key cannot create further keys.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { users } from '../../kernel/nouns/nouns.ts'
import { type Scope, scopes } from '../../kernel/principal.ts'
import { confirmApiKey } from './confirm.ts'
import { type ApiKey, type CreatedApiKey, createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './key.ts'

const nouns: Readonly<Record<string, string>> = {
  contacts: 'contacts, their notes and tasks',
  stats: 'figures',
  calls: 'calls',
  agents: 'voice agents',
  enrich: 'enrichment jobs and suggestions',
  credits: 'the balance and its entries',
  webhooks: 'webhooks',
}

export const ScopeEnum = builder.enumType('ApiKeyScope', {
  description: 'A right of an API key. REST and the documentation write `contacts:read` for CONTACTS_READ, and `*` for ALL.',
  values: {
    ALL: { value: '*', description: 'Everything that its maker may do.' },
    ...Object.fromEntries(
      scopes.map(scope => {
        const [noun = '', verb = ''] = scope.split(':')
        return [`${noun}_${verb}`.toUpperCase(), { value: scope, description: `To ${verb} ${nouns[noun]}.` }]
      }),
    ),
  } as Record<string, { value: Scope | '*'; description: string }>,
})

const ApiKeyType = builder.objectRef<ApiKey>('ApiKey').implement({
  description: "A developer's credential. The key itself is shown once, when it is created; only its SHA-256 is stored.",
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id, for rotating and revoking it.' }),
    label: t.exposeString('label', { description: 'Its purpose.' }),
    start: t.exposeString('start', { description: 'Its first 8 characters.' }),
    last4: t.exposeString('last4', { description: 'Its last 4 characters.' }),
    // `as`: the column has only scopes that were validated when the key was created.
    scopes: t.field({ type: [ScopeEnum], description: 'Its rights.', resolve: ({ scopes }) => scopes as (Scope | '*')[] }),
    organizationIds: t.exposeIDList('organizationIds', { description: "The caller's organizations that it opens." }),
    isConfirmed: t.exposeBoolean('isConfirmed', {
      description:
        'Whether it works in these organizations. False for one that another member made before the payer changed: it is refused until the payer confirms it with `confirmApiKey`.',
    }),
    createdById: t.exposeID('createdById', { description: 'The user who made it.' }),
    rotatedFromId: t.exposeID('rotatedFromId', { nullable: true, description: 'The key it replaces.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When it stops working by itself; null for never.' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, description: 'When it was last used, to the minute.' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, description: 'When it was revoked.' }),
  }),
})

const CreatedApiKeyType = builder.objectRef<CreatedApiKey>('CreatedApiKey').implement({
  description: 'A key just made.',
  fields: t => ({
    apiKey: t.expose('apiKey', { type: ApiKeyType, description: 'The key without its secret.' }),
    key: t.exposeString('key', {
      description: 'The key to send as `Authorization: Bearer`. Shown this once; it cannot be recovered.',
      extensions: { isSecret: true },
    }),
  }),
})

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'A key to make.',
  fields: t => ({
    label: t.string({ required: true, description: 'Its purpose, 1 to 100 characters.' }),
    scopes: t.field({ type: [ScopeEnum], description: 'Its rights. Default: all.' }),
    organizationIds: t.idList({
      description: "Organizations of the user's that it opens. Default: the one that X-Org-Id names, or the only one.",
    }),
    expiresAt: t.field({ type: 'DateTime', description: 'When it stops working by itself. Default: never.' }),
  }),
})

const RotateApiKeyInput = builder.inputType('RotateApiKeyInput', {
  description: 'A key to replace.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    overlapSeconds: t.int({
      defaultValue: 0,
      description: 'How much longer the old key works, in seconds, 0 to 2592000 (30 days). With 0 it is revoked at once.',
    }),
  }),
})

builder.queryField('apiKeys', t =>
  t.field({
    type: [ApiKeyType],
    description: "The keys of the user's organizations, newest first; of revoked and expired ones the newest 200.",
    authScopes: { role: 'member' },
    resolve: (_parent, _args, context) => listApiKeys(context),
  }),
)

builder.mutationFields(t => ({
  createApiKey: t.field({
    type: CreatedApiKeyType,
    description: 'Makes an API key.',
    authScopes: { role: 'member' },
    effect: { undoneBy: 'revokeApiKey' },
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'Its purpose and its rights.' }) },
    resolve: (_parent, { input }, context) => createApiKey(context, input),
  }),
  rotateApiKey: t.field({
    type: CreatedApiKeyType,
    description: 'Replaces a key by a new one with the same label, scopes, organizations and lifetime.',
    authScopes: { role: 'member' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: RotateApiKeyInput, required: true, description: 'The key to replace.' }) },
    resolve: (_parent, { input: { id, overlapSeconds } }, context) => rotateApiKey(context, id, overlapSeconds ?? 0),
  }),
  confirmApiKey: t.field({
    type: ApiKeyType,
    description:
      "Lets an API key from before the payer changed work in the organization of the request again, at the payer's cost. FORBIDDEN for others than the payer.",
    authScopes: { role: 'owner' },
    effect: { undoneBy: 'revokeApiKey', isIdempotent: true },
    args: inputOfId('ConfirmApiKeyInput', 'A key to confirm.'),
    resolve: (_parent, { input }, context) => confirmApiKey(context, input.id),
  }),
  revokeApiKey: t.field({
    type: ApiKeyType,
    description: 'Revokes a key for good. It is refused from the next request on.',
    authScopes: { role: 'member' },
    effect: { overwrites: true, isIdempotent: true },
    args: inputOfId('RevokeApiKeyInput', 'A key to revoke.'),
    resolve: (_parent, { input }, context) => revokeApiKey(context, input.id),
  }),
}))

noun('api_key', null, { mayRead: users })
