// GraphQL: the Suggestion type, its queries, and the fields of jobs and records that return suggestions.

import { CompanyType } from '../../contacts/companies/company.graphql.ts'
import { loadCompanies } from '../../contacts/companies/company.ts'
import { companyTable } from '../../contacts/companies/row.ts'
import { ContactType } from '../../contacts/contact/contact.graphql.ts'
import { loadContacts } from '../../contacts/contact/contact.ts'
import { contactTable } from '../../contacts/contact/row.ts'
import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, isInternal } from '../../graphql/schema/builder.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { readsWholeRow, wholeRow } from '../../graphql/schema/lists/selection.graphql.ts'
import { valueEnum } from '../../graphql/schema/lists/value-enum.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { fieldNamed, wireName } from '../../kernel/input/case.ts'
import { JobType, TargetType } from '../jobs/job.graphql.ts'
import { loadJobs } from '../jobs/job.ts'
import { EnrichmentSortEnum } from '../sort.graphql.ts'
import { type ValueType, valueTypes } from '../targets/field.ts'
import { emptiableColumns, listSuggestions } from './list.ts'
import { type FieldMeta, fieldMetaOf } from './provenance.ts'
import type { Suggestion } from './suggestion.sql.ts'
import { getSuggestion, loadSuggestions, loadSuggestionsOfJobs } from './suggestion.ts'

export const SuggestionStatusEnum = builder.enumType('SuggestionStatus', {
  description: 'State of a suggestion.',
  values: {
    PENDING: { value: 'pending', description: 'Nobody has decided yet.' },
    ACCEPTED: { value: 'accepted', description: 'Its value was taken over.' },
    REJECTED: { value: 'rejected', description: 'It was turned down.' },
    AUTO_APPLIED: { value: 'auto_applied', description: 'Its value was taken over by a rule of its recipe: the field was empty.' },
    SUPERSEDED: { value: 'superseded', description: 'A newer one for the same field took its place.' },
    EXPIRED: { value: 'expired', description: 'Nobody decided in time.' },
  } as const,
})

const VerificationEnum = builder.enumType('Verification', {
  description: 'How far a value was checked.',
  values: {
    VERIFIED: { value: 'verified', description: 'It was found to be so.' },
    PROBABLE: { value: 'probable', description: 'Its source is one that should know.' },
    CATCH_ALL: { value: 'catch_all', description: 'The mail server takes anything, so the address may or may not be there.' },
    UNVERIFIED: { value: 'unverified', description: 'It was not checked, or could not be.' },
  } as const,
})

const ValueTypeEnum = builder.enumType('SuggestionValueType', {
  description: 'Kind of a suggested value.',
  values: Object.fromEntries(
    Object.entries(valueTypes).map(([type, description]) => [type.toUpperCase(), { value: type as ValueType, description }]),
  ),
})

export const SuggestionType = builder.objectRef<Suggestion>('Suggestion').implement({
  description: 'A value that somebody may take over.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'A UUIDv7.' }),
    jobId: t.exposeID('jobId', { nullable: true, description: 'The job that made it.' }),
    job: t.field({
      type: JobType,
      nullable: true,
      description: 'The job that made it. Needs `enrich:read`.',
      authScopes: { scope: 'enrich:read' },
      resolve: ({ jobId }, _args, context) => (jobId === null ? null : load(context, loadJobs, jobId)),
    }),
    callId: t.exposeID('callId', { nullable: true, description: 'The call that it was said in.' }),
    target: t.expose('target', { type: TargetType, description: 'Its target.' }),
    contact: t.field({
      type: ContactType,
      nullable: true,
      description: 'The contact that the target is; null where none matched.',
      authScopes: { scope: 'contacts:read' },
      resolve: ({ contactId }, _args, context) => (contactId === null ? null : load(context, loadContacts, contactId)),
    }),
    company: t.field({
      type: CompanyType,
      nullable: true,
      description: 'The company that the target is; null where none matched.',
      authScopes: { scope: 'contacts:read' },
      resolve: ({ companyId }, _args, context) => (companyId === null ? null : load(context, loadCompanies, companyId)),
    }),
    field: t.exposeString('field', { description: 'The field it is for, in camelCase; custom fields are `custom.<key>`.' }),
    wireField: t.string({
      description: 'The same as REST and recipes write it: job_title.',
      extensions: isInternal,
      resolve: ({ field }) => wireName(field),
    }),
    valueType: t.expose('valueType', { type: ValueTypeEnum, description: 'Kind of the value.' }),
    currentValue: t.expose('currentValue', { type: 'JSON', nullable: true, description: 'Value of the record when it was made.' }),
    proposedValue: t.expose('proposedValue', { type: 'JSON', nullable: true, description: 'The suggested value.' }),
    confidence: t.exposeFloat('confidence', { description: 'How sure the provider is, 0 to 1.' }),
    verification: t.expose('verification', { type: VerificationEnum, description: 'How far the value was checked.' }),
    provider: t.exposeString('provider', { description: 'Its source.' }),
    sourceUrl: t.expose('sourceUrl', { type: 'URL', nullable: true, description: 'Where it can be looked up.' }),
    evidence: t.exposeString('evidence', { nullable: true, description: 'The words it was taken from. They came from outside.' }),
    recipeStep: t.exposeString('recipeStep', { nullable: true, description: 'The step of the recipe that found it.' }),
    observedAt: t.expose('observedAt', { type: 'DateTime', description: 'When it was found.' }),
    status: t.expose('status', { type: SuggestionStatusEnum, description: 'Its state.' }),
    decidedBy: t.expose('decidedBy', { type: ActorType, nullable: true, description: 'The actor who decided; null while it is pending.' }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'When it was decided.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why, as far as somebody said.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it expires if nobody decides.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

const SuggestionConnection = connectionOf('Suggestion', 'suggestions', SuggestionType)

const conditions = (t: Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]) => ({
  field: t.string({ description: 'For this field.' }),
  minConfidence: t.float({ description: 'At least this sure, 0 to 1.' }),
  provider: t.string({ description: 'From this provider.' }),
  hostApp: t.string({ description: 'About a record of this app.' }),
  targetId: t.id({ description: 'About the record with this id.' }),
  targetKind: t.string({ description: 'About a record of this kind.' }),
  contactId: t.id({ description: 'About this contact.' }),
  companyId: t.id({ description: 'About this company.' }),
  jobId: t.id({ description: 'Made by this job.' }),
  callId: t.id({ description: 'Said in this call.' }),
})

const SuggestionValueEnum = valueEnum('SuggestionValue', emptiableColumns)

export const SuggestionFilterInput = builder.inputType('SuggestionFilter', {
  description: 'Which suggestions a list has. All conditions must hold.',
  fields: t => ({
    status: t.field({ type: SuggestionStatusEnum, description: 'In this status.' }),
    statusIn: t.field({ type: [SuggestionStatusEnum], description: 'In any of these statuses, at most 20.' }),
    ...conditions(t),
    fieldIn: t.stringList({ description: 'About any of these fields, at most 20.' }),
    providerIn: t.stringList({ description: 'By any of these providers, at most 20.' }),
    hostAppIn: t.stringList({ description: 'About a record of any of these apps, at most 20.' }),
    targetIdIn: t.idList({ description: 'About a record with any of these ids, at most 20.' }),
    targetKindIn: t.stringList({ description: 'About a record of any of these kinds, at most 20.' }),
    contactIdIn: t.idList({ description: 'About any of these contacts, at most 20.' }),
    companyIdIn: t.idList({ description: 'About any of these companies, at most 20.' }),
    jobIdIn: t.idList({ description: 'Made by any of these jobs, at most 20.' }),
    callIdIn: t.idList({ description: 'Said in any of these calls, at most 20.' }),
    maxConfidence: t.float({ description: 'At most this sure, 0 to 1.' }),
    verification: t.field({ type: VerificationEnum, description: 'Checked as far as this.' }),
    verificationIn: t.field({ type: [VerificationEnum], description: 'Checked as far as any of these.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Made then or later.' }),
    createdUntil: t.field({ type: 'DateTime', description: 'Made before.' }),
    decidedSince: t.field({ type: 'DateTime', description: 'Decided then or later.' }),
    decidedUntil: t.field({ type: 'DateTime', description: 'Decided before.' }),
    empty: t.field({ type: [SuggestionValueEnum], description: 'Without a value in any of these fields.' }),
    notEmpty: t.field({ type: [SuggestionValueEnum], description: 'With a value in each of these fields.' }),
  }),
})

export const SuggestionRuleInput = builder.inputType('SuggestionRule', {
  description: 'Which pending suggestions are meant. All conditions must hold, and there must be one.',
  fields: t => ({
    ids: t.idList({ description: 'These only, at most 200.' }),
    onlyEmpty: t.boolean({ description: 'Only where the record has no value yet.' }),
    ...conditions(t),
  }),
})

builder.queryFields(t => ({
  suggestion: t.field({
    type: SuggestionType,
    nullable: true,
    description: 'A suggestion; null with NOT_FOUND when there is none.',
    authScopes: { scope: 'enrich:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getSuggestion(context, id),
  }),
  suggestions: t.field({
    type: SuggestionConnection,
    description: "The organization's suggestions.",
    authScopes: { scope: 'enrich:read' },
    args: {
      ...pageArgs,
      filter: t.arg({ type: SuggestionFilterInput, description: 'Which suggestions. Default: all.' }),
      sort: t.arg({ type: EnrichmentSortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
    },
    resolve: (_parent, args, context, info) => listSuggestions(context, { ...args, counted: isCounted(info) }),
  }),
}))

builder.objectField(JobType, 'suggestions', t =>
  t.field({
    type: [SuggestionType],
    description: 'The suggestions it made. Needs `enrich:read`.',
    authScopes: { scope: 'enrich:read' },
    resolve: ({ id }, _args, context) => load(context, loadSuggestionsOfJobs, id),
  }),
)

const FieldMetaType = builder.objectRef<FieldMeta>('FieldMeta').implement({
  description: "Where a record's value comes from.",
  fields: t => ({
    field: t.exposeString('field', { description: 'The field, in camelCase; custom fields are `custom.<key>`.' }),
    setBy: t.expose('setBy', { type: ActorType, description: 'The actor who set it last.' }),
    setAt: t.expose('setAt', { type: 'DateTime', description: 'When.' }),
    suggestion: t.expose('suggestion', {
      type: SuggestionType,
      nullable: true,
      description: 'The suggestion that was taken over, if one was.',
    }),
    locked: t.exposeBoolean('locked', { description: 'A person set it: machines may suggest another value, and never write one.' }),
  }),
})

const fieldMeta = {
  description: 'Where its values come from. Read from the timeline, so it reaches back as far as events are kept.',
  authScopes: { scope: 'enrich:read' },
  extensions: { complexity: 3, ...readsWholeRow },
} as const
const theseFields = { description: 'These fields only.' }

builder.objectField(ContactType, 'fieldMeta', t =>
  t.field({
    type: [FieldMetaType],
    ...fieldMeta,
    args: { fields: t.arg.stringList(theseFields) },
    resolve: (contact, { fields }, context) =>
      fieldMetaOf(context, { noun: 'contact', row: wholeRow(contactTable, contact) }, fields?.map(fieldNamed)),
  }),
)
builder.objectField(CompanyType, 'fieldMeta', t =>
  t.field({
    type: [FieldMetaType],
    ...fieldMeta,
    args: { fields: t.arg.stringList(theseFields) },
    resolve: (company, { fields }, context) =>
      fieldMetaOf(context, { noun: 'company', row: wholeRow(companyTable, company) }, fields?.map(fieldNamed)),
  }),
)

noun('suggestion', SuggestionType, { scope: 'enrich:read', load: loadSuggestions, isInTimelines: true, rank: 5 })
