// GraphQL: lists of contacts, with their filters and orders.

import { builder } from '../../../graphql/schema/builder.ts'
import { enumOf } from '../../../graphql/schema/fields.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../../graphql/schema/lists/connection.graphql.ts'
import { selectedFields, selectedRows } from '../../../graphql/schema/lists/selection.graphql.ts'
import { valueEnum } from '../../../graphql/schema/lists/value-enum.graphql.ts'
import { CustomFieldFilterInput } from '../../records/list/custom-filter.graphql.ts'
import { contactSources } from '../../records/source.ts'
import { ContactType } from '../contact.graphql.ts'
import { contactTable, emptiableColumns, lifecycleStages, listedProperties } from '../row.ts'
import { listContacts } from './list.ts'

export const ContactSortEnum = builder.enumType('ContactSort', {
  description: 'Orders of a list of contacts. Ties are broken by id. Missing values come last, in descending orders first.',
  values: {
    CREATED_AT: { value: 'created_at', description: 'Oldest first.' },
    CREATED_AT_DESC: { value: 'created_at_desc', description: 'Newest first.' },
    UPDATED_AT: { value: 'updated_at', description: 'Least recently changed first.' },
    UPDATED_AT_DESC: { value: 'updated_at_desc', description: 'Most recently changed first.' },
    LAST_NAME: { value: 'last_name', description: 'By last name, without regard to case.' },
    LAST_NAME_DESC: { value: 'last_name_desc', description: 'By last name, descending.' },
    EMAIL: { value: 'email', description: 'By email address, without regard to case.' },
    EMAIL_DESC: { value: 'email_desc', description: 'By email address, descending.' },
    STAGE: { value: 'stage', description: 'By stage: subscribers first, then leads, up to advocates, then all others.' },
    STAGE_DESC: { value: 'stage_desc', description: 'By stage, descending.' },
  } as const,
})

export const ContactConnection = connectionOf('Contact', 'contacts', ContactType)

const ContactValueEnum = valueEnum('ContactValue', emptiableColumns)

export const ContactFilterInput = builder.inputType('ContactFilter', {
  description: 'Which contacts a list has. All conditions must hold.',
  fields: t => ({
    q: t.string({
      description: 'Words that stand somewhere in name, email address, phone number or company, without regard to case and accents.',
    }),
    email: t.string({ description: 'This email address, without regard to case.' }),
    phone: t.string({ description: 'This phone number, however it is written.' }),
    lifecycleStage: t.field({ type: enumOf(lifecycleStages), description: 'In this stage.' }),
    lifecycleStageIn: t.field({ type: [enumOf(lifecycleStages)], description: 'In any of these stages, at most 20.' }),
    source: t.field({ type: enumOf(contactSources), description: 'From this source.' }),
    sourceIn: t.field({ type: [enumOf(contactSources)], description: 'From any of these sources, at most 20.' }),
    tag: t.string({ description: 'With this tag.' }),
    tagIn: t.stringList({ description: 'With any of these tags, at most 20.' }),
    ownerUserId: t.id({ description: 'Looked after by this user.' }),
    ownerUserIdIn: t.idList({ description: 'Looked after by any of these users, at most 20.' }),
    tagAll: t.stringList({ description: 'With all of these tags, at most 20.' }),
    companyId: t.id({ description: 'Of this company.' }),
    companyIdIn: t.idList({ description: 'Of any of these companies, at most 20.' }),
    companyNameIn: t.stringList({ description: 'Of a company with any of these names, at most 20.' }),
    companyNameContains: t.stringList({
      description: 'Of a company with any of these texts in its name, without regard to case and accents, at most 20.',
    }),
    companyDomainIn: t.stringList({ description: 'Of any of these domains, at most 20.' }),
    companyDomainContains: t.stringList({ description: 'Of a domain with any of these texts in it, at most 20.' }),
    countryIn: t.stringList({ description: 'In any of these countries, at most 20.' }),
    cityIn: t.stringList({ description: 'In any of these cities, at most 20.' }),
    cityContains: t.stringList({
      description: 'In a city with any of these texts in its name, without regard to case and accents, at most 20.',
    }),
    externalIdIn: t.idList({ description: 'With any of these ids in another system, at most 20.' }),
    importId: t.id({ description: 'Added or changed by this import of a file.' }),
    doNotCall: t.boolean({ description: 'Whether the contact must not be called.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Added then or later.' }),
    createdUntil: t.field({ type: 'DateTime', description: 'Added before.' }),
    updatedSince: t.field({ type: 'DateTime', description: 'Changed then or later.' }),
    updatedUntil: t.field({ type: 'DateTime', description: 'Changed before.' }),
    lastContactedSince: t.field({ type: 'DateTime', description: 'Spoken with then or later.' }),
    lastContactedUntil: t.field({ type: 'DateTime', description: 'Last spoken with before.' }),
    empty: t.field({ type: [ContactValueEnum], description: 'Without a value in any of these fields.' }),
    notEmpty: t.field({ type: [ContactValueEnum], description: 'With a value in each of these fields.' }),
    custom: t.field({ type: [CustomFieldFilterInput], description: 'Conditions on custom fields, at most 20.' }),
    includeDeleted: t.boolean({ description: 'Deleted contacts as well. Default: false.' }),
    onlyDeleted: t.boolean({
      description: 'Deleted contacts alone, without those that were merged into another: undoing the merge restores these. Default: false.',
    }),
  }),
})

builder.queryField('contacts', t =>
  t.field({
    type: ContactConnection,
    description: "The organization's contacts.",
    authScopes: { scope: 'contacts:read' },
    args: {
      ...pageArgs,
      filter: t.arg({ type: ContactFilterInput, description: 'Which contacts. Default: all that live.' }),
      sort: t.arg({ type: ContactSortEnum, defaultValue: 'created_at_desc', description: 'In which order.' }),
    },
    resolve: (_parent, args, context, info) =>
      listContacts(
        context,
        { ...args, counted: isCounted(info) },
        selectedRows(info.schema, 'Contact', selectedFields(info), contactTable, listedProperties),
      ),
  }),
)
