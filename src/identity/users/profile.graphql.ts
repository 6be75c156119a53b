// GraphQL: the user's own profile and preferences.

import { builder } from '../../graphql/schema/builder.ts'
import { MeType } from '../sessions/session.graphql.ts'
import { colorSchemes, languages, type Preferences, preferencesOf, tableDensities, updatePreferences } from './preferences.ts'
import { updateProfile } from './profile.ts'
import { UserType } from './user.graphql.ts'

const schemes: Record<(typeof colorSchemes)[number], string> = {
  system: 'As the system of the device has it.',
  light: 'Light.',
  dark: 'Dark.',
}
const densities: Record<(typeof tableDensities)[number], string> = { comfortable: 'Room to read.', compact: 'More rows.' }
const names: Record<(typeof languages)[number], string> = { en: 'English.', de: 'German.' }

const ColorSchemeEnum = builder.enumType('ColorScheme', {
  description: 'The colours of the app.',
  values: Object.fromEntries(colorSchemes.map(value => [value.toUpperCase(), { value, description: schemes[value] }])),
})

const TableDensityEnum = builder.enumType('TableDensity', {
  description: 'How close the rows of tables are.',
  values: Object.fromEntries(tableDensities.map(value => [value.toUpperCase(), { value, description: densities[value] }])),
})

const AppLanguageEnum = builder.enumType('AppLanguage', {
  description: 'Language of the app.',
  values: Object.fromEntries(languages.map(value => [value.toUpperCase(), { value, description: names[value] }])),
})

const PreferencesType = builder.objectRef<Preferences>('Preferences').implement({
  description: 'How a user likes to see the app, in every organization. Columns and filters are in saved views.',
  fields: t => ({
    colorScheme: t.expose('colorScheme', { type: ColorSchemeEnum, description: 'The colours.' }),
    timezone: t.exposeString('timezone', { nullable: true, description: "The time zone of times and days; null for the browser's." }),
    tableDensity: t.expose('tableDensity', { type: TableDensityEnum, description: 'How close the rows of tables are.' }),
    language: t.expose('language', {
      type: AppLanguageEnum,
      nullable: true,
      description: 'The language; null until the user chooses one.',
    }),
  }),
})

builder.objectField(MeType, 'preferences', t =>
  t.field({
    type: PreferencesType,
    nullable: true,
    description: 'How the signed-in user likes to see the app; null for other callers.',
    resolve: (_me, _args, context) => preferencesOf(context),
  }),
)

const UpdateProfileInput = builder.inputType('UpdateProfileInput', {
  description: "The user's own profile.",
  fields: t => ({ name: t.string({ required: true, description: 'The name, 1 to 200 characters.' }) }),
})

const UpdatePreferencesInput = builder.inputType('UpdatePreferencesInput', {
  description: 'The changes: an absent field stays as it is, null resets it to its default.',
  fields: t => ({
    colorScheme: t.field({ type: ColorSchemeEnum, description: 'The colours. Default: SYSTEM.' }),
    timezone: t.string({ description: "The time zone, as the IANA database names it. Default: the browser's." }),
    tableDensity: t.field({ type: TableDensityEnum, description: 'How close the rows of tables are. Default: COMFORTABLE.' }),
    language: t.field({ type: AppLanguageEnum, description: 'The language. Default: none is chosen, and each browser keeps its own.' }),
  }),
})

builder.mutationFields(t => ({
  updateProfile: t.field({
    type: UserType,
    description: 'Renames the signed-in user. CONFLICT where an outside identity provider knows the names.',
    authScopes: { signedIn: true },
    effect: { overwrites: true, undoneBy: 'updateProfile with the former name', isIdempotent: true },
    args: { input: t.arg({ type: UpdateProfileInput, required: true, description: 'The profile.' }) },
    resolve: (_parent, { input }, context) => updateProfile(context, input),
  }),
  updatePreferences: t.field({
    type: PreferencesType,
    description: 'Changes how the signed-in user likes to see the app.',
    authScopes: { signedIn: true },
    effect: { overwrites: true, undoneBy: 'updatePreferences with the former ones', isIdempotent: true },
    args: { input: t.arg({ type: UpdatePreferencesInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updatePreferences(context, input),
  }),
}))
