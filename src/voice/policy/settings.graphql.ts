// Voice settings and the deny list in the schema.

import type { DeniedNumber } from '../../generated/prisma/client.ts'
import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import type { Actor } from '../../kernel/principal.ts'
import type { CallingHours } from './calling-hours.ts'
import { allowNumber, denyNumber, listDeniedNumbers } from './denied-number.ts'
import type { VoiceSettings } from './policy.ts'
import { readVoiceSettings, updateVoiceSettings } from './settings.ts'

const CallingHoursType = builder.objectRef<CallingHours>('CallingHours').implement({
  description: "When phones may ring, in the callee's time zone.",
  fields: t => ({
    from: t.exposeString('from', { nullable: true, description: 'HH:MM; null: from midnight.' }),
    until: t.exposeString('until', { nullable: true, description: 'HH:MM, not included; null: to midnight.' }),
    days: t.exposeIntList('days', { description: '1 Monday to 7 Sunday.' }),
  }),
})

const VoiceSettingsType = builder.objectRef<VoiceSettings>('VoiceSettings').implement({
  description: 'How the organization calls.',
  fields: t => ({
    concurrency: t.exposeInt('concurrency', { description: 'Calls at once; more wait in order.' }),
    callingHours: t.expose('callingHours', { type: CallingHoursType, description: 'When phones may ring.' }),
    defaultTimezone: t.exposeString('defaultTimezone', {
      description:
        'The time zone of contacts that have none. Until it is set: of the country of the organization, if it has one, otherwise UTC.',
    }),
  }),
})

const CallingHoursInput = builder.inputType('CallingHoursInput', {
  description: "When phones may ring, in the callee's time zone.",
  fields: t => ({
    from: t.string({ description: 'HH:MM.' }),
    until: t.string({ description: 'HH:MM, not included.' }),
    days: t.intList({ description: '1 Monday to 7 Sunday. Default: as before.' }),
  }),
})

const VoiceSettingsInput = builder.inputType('VoiceSettingsInput', {
  description: 'The changes: an absent field stays as it is.',
  fields: t => ({
    concurrency: t.int({ description: 'Calls at once, 1 to 1000.' }),
    callingHours: t.field({ type: CallingHoursInput, description: 'When phones may ring; null: at any time.' }),
    defaultTimezone: t.string({ description: 'IANA time zone of contacts that have none.' }),
  }),
})

const DeniedNumberType = builder.objectRef<DeniedNumber>('DeniedNumber').implement({
  description: 'A number that the organization never calls.',
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7.' }),
    phone: t.exposeString('phone', { description: 'In E.164.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why.' }),
    createdBy: t.field({
      type: ActorType,
      description: 'The actor who put it on the list.',
      // `as`: the column has a value of `actorOf`.
      resolve: row => ({ type: row.createdByType as Actor['type'], id: row.createdById, name: row.createdByName }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
})
const DeniedNumberConnection = connectionOf('DeniedNumber', 'denied numbers', DeniedNumberType)

builder.queryFields(t => ({
  voiceSettings: t.field({
    type: VoiceSettingsType,
    description: 'How the organization calls.',
    authScopes: { scope: 'calls:read' },
    resolve: (_parent, _args, context) => readVoiceSettings(context),
  }),
  deniedNumbers: t.field({
    type: DeniedNumberConnection,
    description: 'Numbers that the organization never calls, newest first.',
    authScopes: { scope: 'calls:read' },
    args: { ...pageArgs, phone: t.arg.string({ description: 'Only this number.' }) },
    resolve: (_parent, args, context, info) => listDeniedNumbers(context, { ...args, counted: isCounted(info) }),
  }),
}))

const DenyNumberInput = builder.inputType('DenyNumberInput', {
  description: 'A number that is not to be called.',
  fields: t => ({
    phone: t.string({ required: true, description: 'In E.164.' }),
    reason: t.string({ description: 'Why.' }),
  }),
})

const AllowNumberInput = builder.inputType('AllowNumberInput', {
  description: 'A number that may be called again.',
  fields: t => ({ phone: t.string({ required: true, description: 'In E.164.' }) }),
})

builder.mutationFields(t => ({
  updateVoiceSettings: t.field({
    type: VoiceSettingsType,
    description: 'Changes how the organization calls.',
    authScopes: { scope: 'agents:write' },
    effect: { overwrites: true, undoneBy: 'updateVoiceSettings with the former values', isIdempotent: true },
    args: { input: t.arg({ type: VoiceSettingsInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updateVoiceSettings(context, input),
  }),
  denyNumber: t.field({
    type: DeniedNumberType,
    description: 'Puts a number on the list of numbers that are never called.',
    authScopes: { scope: 'calls:write' },
    effect: { undoneBy: 'allowNumber', isIdempotent: true },
    args: { input: t.arg({ type: DenyNumberInput, required: true, description: 'The number.' }) },
    resolve: (_parent, { input: { phone, reason } }, context) => denyNumber(context, phone, reason),
  }),
  allowNumber: t.field({
    type: DeniedNumberType,
    description: 'Takes a number off the list.',
    authScopes: { scope: 'calls:write' },
    effect: { overwrites: true, undoneBy: 'denyNumber', isIdempotent: true },
    args: { input: t.arg({ type: AllowNumberInput, required: true, description: 'The number.' }) },
    resolve: (_parent, { input: { phone } }, context) => allowNumber(context, phone),
  }),
}))

noun('denied_number', null, { scope: 'calls:read' })
noun('voice_settings', null, { scope: 'calls:read' })
