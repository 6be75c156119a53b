// GraphQL: the preferences of a member for inbox items.

import { builder, checkWith } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { inboxKinds } from '../items/item.sql.ts'
import {
  inboxMails,
  type KindPreference,
  type Preferences,
  type PreferencesChange,
  preferencesOf,
  problemsOfPreferences,
  updatePreferences,
} from './preference.ts'

const inList = 'Whether an item waits in the list and counts at the bell. Otherwise it is done from the beginning.'
const asToast = 'Whether the open app shows a message.'
const inBrowser = 'Whether browsers in which the member has allowed it show a notification.'
const byMail = 'Whether a mail tells of it.'

const KindPreferenceType = builder.objectRef<KindPreference>('InboxKindPreference').implement({
  description: 'How a member learns of a kind of inbox items.',
  fields: t => ({
    kind: t.expose('kind', { type: enumOf(inboxKinds), description: 'The kind.' }),
    inbox: t.exposeBoolean('inbox', { description: inList }),
    toast: t.exposeBoolean('toast', { description: asToast }),
    browser: t.exposeBoolean('browser', { description: inBrowser }),
    mail: t.expose('mail', { type: enumOf(inboxMails), description: byMail }),
  }),
})

const PreferencesType = builder.objectRef<Preferences>('InboxPreferences').implement({
  description: 'How a member learns of inbox items, in the organization of the request.',
  fields: t => ({
    kinds: t.expose('kinds', { type: [KindPreferenceType], description: 'One for each kind.' }),
    digestHour: t.exposeInt('digestHour', { description: 'The hour of the daily mail, 0 to 23, in `timezone`.' }),
    timezone: t.exposeString('timezone', {
      description:
        "The time zone of the daily mail: the one of the member's preferences, else of the organization's country if it has one time, else UTC.",
    }),
    mailAddress: t.exposeString('mailAddress', { nullable: true, description: 'The address of the member; null without one.' }),
    isMailSetUp: t.exposeBoolean('isMailSetUp', { description: 'Whether the server can send mails. The operator sets `SMTP_URL`.' }),
  }),
})

const UpdateInboxPreferencesInput = builder.inputType('UpdateInboxPreferencesInput', {
  description: 'Changes of the preferences: an absent or null field stays as it is.',
  fields: t => ({
    kinds: t.field({ type: [enumOf(inboxKinds)], description: 'The kinds to change. Default: all.' }),
    inbox: t.boolean({ description: inList }),
    toast: t.boolean({ description: asToast }),
    browser: t.boolean({ description: inBrowser }),
    mail: t.field({ type: enumOf(inboxMails), description: byMail }),
    digestHour: t.int({ description: 'The hour of the daily mail of all kinds, 0 to 23.' }),
  }),
})

const checksChange = checkWith(({ input = {} }: { input?: PreferencesChange }) => problemsOfPreferences(input))

builder.queryField('inboxPreferences', t =>
  t.field({
    type: PreferencesType,
    description: 'How the signed-in member, or the member who made the API key, learns of inbox items.',
    authScopes: { scope: 'inbox:manage' },
    resolve: (_parent, _args, context) => preferencesOf(context),
  }),
)

builder.mutationField('updateInboxPreferences', t =>
  t.field({
    type: PreferencesType,
    description: 'Changes how the member learns of inbox items that come from then on.',
    authScopes: { scope: 'inbox:manage' },
    effect: { overwrites: true, undoneBy: 'updateInboxPreferences with the former values', isIdempotent: true },
    extensions: checksChange,
    args: { input: t.arg({ type: UpdateInboxPreferencesInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updatePreferences(context, input),
  }),
)
