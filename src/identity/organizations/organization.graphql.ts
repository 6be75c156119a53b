// Organizations in the schema.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { users } from '../../kernel/nouns/nouns.ts'
import { UserType } from '../users/user.graphql.ts'
import { userById } from '../users/user.ts'
import { countryOf, currencyOf, setCountry, setCurrency } from './country-and-currency.ts'
import { embedOriginsOf, setEmbedOrigins } from './embedding.ts'
import { MemberConnection } from './member.graphql.ts'
import { membersOf } from './member.ts'
import { leaveOrganization, renameOrganization, transferOwnership } from './membership.ts'
import { createOrganization, currentOrganization, loadOrganizations, type Organization } from './organization.ts'
import { payersOf } from './payer.ts'
import { OrganizationRole } from './role.graphql.ts'
import { linksContacts, setContactLinking } from './settings/contact-linking.ts'

export const OrganizationType = builder.objectRef<Organization>('Organization').implement({
  description: 'A tenant: contacts, keys and everything else belong to exactly one.',
  interfaces: [Node],
  fields: t => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    role: t.expose('role', { type: OrganizationRole, description: "The caller's role in it." }),
    members: t.field({
      type: MemberConnection,
      nullable: true,
      description: 'Its members in the order in which they joined, for its signed-in members.',
      args: pageArgs,
      resolve: ({ id }, args, context, info) => membersOf(context, id, { ...args, counted: isCounted(info) }),
    }),
    payer: t.field({
      type: UserType,
      nullable: true,
      description:
        'The owner whose credits its API keys, hooks and agents spend, for its signed-in members. Null for others, and while nobody pays: then work that costs credits is refused.',
      resolve: async ({ id }, _args, context) => {
        if (context.principal.kind !== 'session' || !context.principal.orgIds.includes(id)) return null
        const payerId = await load(context, payersOf, id)
        return payerId === null ? null : userById(context, payerId)
      },
    }),
    country: t.string({
      nullable: true,
      description:
        'Its country, ISO 3166-1 alpha-2 such as DE: telephone numbers without a country code are stored as numbers of it. Null: not known.',
      resolve: ({ id }, _args, context) => countryOf(context, id),
    }),
    currency: t.string({
      nullable: true,
      description:
        'The currency of its amounts, ISO 4217 such as EUR: the one that `setOrganizationCurrency` set, otherwise the currency of its country. Null: not known.',
      resolve: ({ id }, _args, context) => currencyOf(context, id),
    }),
    linksContacts: t.boolean({
      description:
        'Whether a new contact without a company is linked to the company with the domain of its email address. Domains of mail providers link nobody.',
      resolve: ({ id }, _args, context) => linksContacts(context, id),
    }),
    embedOrigins: t.stringList({
      nullable: true,
      description: 'The origins of pages that may show its widgets in a frame, for its signed-in members; null for others.',
      resolve: ({ id }, _args, { principal, db }) =>
        principal.kind === 'session' && principal.orgIds.includes(id) ? embedOriginsOf(db, id) : null,
    }),
  }),
})

builder.queryField('organization', t =>
  t.field({
    type: OrganizationType,
    description: 'The organization of the request: the one that X-Org-Id names, or the only one of the credential.',
    authScopes: { someone: true },
    resolve: (_parent, _args, context) => currentOrganization(context),
  }),
)

const CreateOrganizationInput = builder.inputType('CreateOrganizationInput', {
  description: 'An organization to make.',
  fields: t => ({ name: t.string({ required: true, description: 'Its name, 1 to 200 characters.' }) }),
})

builder.mutationField('createOrganization', t =>
  t.field({
    type: OrganizationType,
    description: 'Makes an organization that the signed-in user owns.',
    authScopes: { signedIn: true },
    effect: {},
    args: { input: t.arg({ type: CreateOrganizationInput, required: true, description: 'The organization.' }) },
    resolve: (_parent, { input }, context) => createOrganization(context, input.name),
  }),
)

const RenameOrganizationInput = builder.inputType('RenameOrganizationInput', {
  description: 'Another name for the organization of the request.',
  fields: t => ({ name: t.string({ required: true, description: 'Its name, 1 to 200 characters.' }) }),
})
const SetEmbedOriginsInput = builder.inputType('SetEmbedOriginsInput', {
  description: 'Where widgets of the organization of the request may be shown.',
  fields: t => ({
    origins: t.stringList({
      required: true,
      description: 'At most 20 origins such as `https://intranet.example.com`, in place of the former ones. None: nowhere.',
    }),
  }),
})
const SetOrganizationCountryInput = builder.inputType('SetOrganizationCountryInput', {
  description: 'The country of the organization of the request.',
  fields: t => ({
    country: t.string({
      description: 'ISO 3166-1 alpha-2, such as DE. Null or absent: it is not known, and numbers stay as they are given.',
    }),
  }),
})
const SetOrganizationCurrencyInput = builder.inputType('SetOrganizationCurrencyInput', {
  description: 'The currency of the organization of the request.',
  fields: t => ({
    currency: t.string({ description: 'ISO 4217, such as EUR. Null or absent: the currency of its country.' }),
  }),
})
const SetContactLinkingInput = builder.inputType('SetContactLinkingInput', {
  description: 'Whether new contacts of the organization of the request are linked to companies by their email address.',
  fields: t => ({ isOn: t.boolean({ required: true, description: 'Whether they are. An organization begins with true.' }) }),
})
const TransferOwnershipInput = builder.inputType('TransferOwnershipInput', {
  description: 'The future owner of the organization of the request.',
  fields: t => ({ userId: t.id({ required: true, description: 'A member of it.' }) }),
})

builder.mutationFields(t => ({
  renameOrganization: t.field({
    type: OrganizationType,
    description: 'Renames the organization of the request.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'renameOrganization with the former name', isIdempotent: true },
    args: { input: t.arg({ type: RenameOrganizationInput, required: true, description: 'The name.' }) },
    resolve: (_parent, { input }, context) => renameOrganization(context, input.name),
  }),
  setEmbedOrigins: t.field({
    type: OrganizationType,
    description: 'Says which pages may show widgets of the organization in a frame.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'setEmbedOrigins with the former ones', isIdempotent: true },
    args: { input: t.arg({ type: SetEmbedOriginsInput, required: true, description: 'The origins.' }) },
    resolve: (_parent, { input }, context) => setEmbedOrigins(context, input.origins),
  }),
  setOrganizationCountry: t.field({
    type: OrganizationType,
    description: 'Says in which country telephone numbers without a country code are. It counts for numbers that are written from then on.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'setOrganizationCountry with the former one', isIdempotent: true },
    args: { input: t.arg({ type: SetOrganizationCountryInput, required: true, description: 'The country.' }) },
    resolve: (_parent, { input }, context) => setCountry(context, input.country ?? null),
  }),
  setOrganizationCurrency: t.field({
    type: OrganizationType,
    description: 'Says in which currency the amounts of the organization are. Amounts that are stored already are not converted.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'setOrganizationCurrency with the former one', isIdempotent: true },
    args: { input: t.arg({ type: SetOrganizationCurrencyInput, required: true, description: 'The currency.' }) },
    resolve: (_parent, { input }, context) => setCurrency(context, input.currency ?? null),
  }),
  setContactLinking: t.field({
    type: OrganizationType,
    description:
      'Says whether new contacts are linked to the company with the domain of their email address. Contacts that exist stay as they are.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'setContactLinking with the former value', isIdempotent: true },
    args: { input: t.arg({ type: SetContactLinkingInput, required: true, description: 'The setting.' }) },
    resolve: (_parent, { input }, context) => setContactLinking(context, input.isOn),
  }),
  transferOwnership: t.field({
    type: OrganizationType,
    description:
      'Offers the ownership of the organization of the request to a member. When the member accepts, with `acceptOwnership`, the caller becomes an admin.',
    authScopes: { role: 'owner' },
    effect: { overwrites: true, undoneBy: 'withdrawOwnership' },
    args: { input: t.arg({ type: TransferOwnershipInput, required: true, description: 'The new owner.' }) },
    resolve: (_parent, { input }, context) => transferOwnership(context, input.userId),
  }),
  leaveOrganization: t.field({
    type: OrganizationType,
    description:
      "Ends the signed-in user's membership, with the API keys and open invitations that the user made there. CONFLICT for the last owner.",
    authScopes: { signedIn: true },
    effect: { overwrites: true },
    args: inputOfId('LeaveOrganizationInput', 'An organization to leave.'),
    resolve: (_parent, { input }, context) => leaveOrganization(context, input.id),
  }),
}))

noun('organization', OrganizationType, { mayRead: users, load: loadOrganizations })
