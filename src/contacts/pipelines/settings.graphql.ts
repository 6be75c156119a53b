// GraphQL: the settings of deals.

import { builder } from '../../graphql/schema/builder.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { type DealSettings, readDealSettings, updateDealSettings } from './settings.ts'

const DealSettingsType = builder.objectRef<DealSettings>('DealSettings').implement({
  description: 'How the organization works with deals.',
  fields: t => ({
    lostReasons: t.exposeStringList('lostReasons', { description: 'The reasons for lost deals to choose from. Empty: any text.' }),
  }),
})

const DealSettingsInput = builder.inputType('DealSettingsInput', {
  description: 'The changes: an absent field stays as it is.',
  fields: t => ({
    lostReasons: t.stringList({ description: 'All reasons: at most 50, of at most 200 characters each.', extensions: { maxLength: 200 } }),
  }),
})

builder.queryField('dealSettings', t =>
  t.field({
    type: DealSettingsType,
    description: 'How the organization works with deals.',
    authScopes: { scope: 'contacts:read' },
    resolve: (_parent, _args, context) => readDealSettings(context),
  }),
)

builder.mutationField('updateDealSettings', t =>
  t.field({
    type: DealSettingsType,
    description: 'Changes how the organization works with deals. Reasons of deals that are lost already stay.',
    authScopes: { role: 'admin' },
    effect: { overwrites: true, undoneBy: 'updateDealSettings with the former values', isIdempotent: true },
    args: { input: t.arg({ type: DealSettingsInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updateDealSettings(context, input),
  }),
)

noun('deal_settings', null, { scope: 'contacts:read' })
