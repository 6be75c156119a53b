// GraphQL: the mutations of companies.

import { builder, checkWith, inputOfId } from '../../graphql/schema/builder.ts'
import { inputFields } from '../../graphql/schema/fields.graphql.ts'
import { amount } from '../../kernel/currencies/amounts.ts'
import { OnConflictEnum, WriteOutcomeEnum } from '../contact/contact.graphql.ts'
import { tag } from '../records/fields.ts'
import { CompanyType } from './company.graphql.ts'
import {
  createCompany,
  deleteCompany,
  problemsOfCompany,
  restoreCompany,
  updateCompany,
  upsertCompany,
  type WrittenCompany,
} from './company.ts'
import type { CompanyPatch } from './input.ts'
import { companyFields } from './row.ts'

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

const annualRevenue = (t: Fields) =>
  t.string({
    description: 'A decimal text, such as 1500000.50, with at most as many decimals as the currency has.',
    extensions: { maxLength: amount.maxLength },
  })

const CreateCompanyInput = builder.inputType('CreateCompanyInput', {
  description: 'A company to add.',
  fields: t => ({ ...inputFields(t, companyFields, 'name'), annualRevenue: annualRevenue(t) }),
})

const UpsertCompanyInput = builder.inputType('UpsertCompanyInput', {
  description: 'A company to add or change. In one that exists an absent field stays as it is, and null clears it.',
  fields: t => ({
    onConflict: t.field({ type: OnConflictEnum, defaultValue: 'update', description: 'Action where it exists.' }),
    ...inputFields(t, companyFields),
    annualRevenue: annualRevenue(t),
  }),
})

const UpdateCompanyInput = builder.inputType('UpdateCompanyInput', {
  description: 'The changes: an absent field stays as it is, null clears it.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
    ...inputFields(t, companyFields),
    annualRevenue: annualRevenue(t),
    addTags: t.stringList({ description: 'Tags to add.', extensions: { maxLength: tag.maxLength } }),
    removeTags: t.stringList({ description: 'Tags to remove.', extensions: { maxLength: tag.maxLength } }),
  }),
})

const DeleteCompanyInput = builder.inputType('DeleteCompanyInput', {
  description: 'A company to delete.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    ifVersion: t.int({ description: 'Deletes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const UpsertCompanyPayload = builder.objectRef<WrittenCompany>('UpsertCompanyPayload').implement({
  description: 'A company added or changed.',
  fields: t => ({
    company: t.expose('company', { type: CompanyType, description: 'As it is now.' }),
    outcome: t.expose('outcome', { type: WriteOutcomeEnum, description: 'The outcome.' }),
  }),
})

const checksCompany = checkWith(({ input }: { input: CompanyPatch }, context) => problemsOfCompany(context, input))

builder.mutationFields(t => ({
  createCompany: t.field({
    type: CompanyType,
    description: 'Adds a company. ALREADY_EXISTS with `existingId` where a live company has one of its domains.',
    authScopes: { scope: 'contacts:write' },
    effect: { undoneBy: 'deleteCompany' },
    extensions: checksCompany,
    args: { input: t.arg({ type: CreateCompanyInput, required: true, description: 'The company.' }) },
    resolve: (_parent, { input }, context) => createCompany(context, input),
  }),
  upsertCompany: t.field({
    type: UpsertCompanyPayload,
    description:
      'Adds a company, or changes the live one with the same domain, or else with the same external id. A deleted one stays deleted.',
    authScopes: { scope: 'contacts:write' },
    effect: {
      overwrites: true,
      undoneBy: 'deleteCompany where it was added, updateCompany with the former values where it was changed',
      isIdempotent: true,
    },
    extensions: checksCompany,
    args: {
      input: t.arg({
        type: UpsertCompanyInput,
        required: true,
        description: 'The company. `domain` or `externalId` is required, and `name` where there is none yet.',
      }),
    },
    resolve: (_parent, { input: { onConflict, ...company } }, context) => upsertCompany(context, company, onConflict ?? 'update'),
  }),
  updateCompany: t.field({
    type: CompanyType,
    description: 'Changes a company.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'updateCompany with the former values, which the timeline has', isIdempotent: true },
    extensions: checksCompany,
    args: { input: t.arg({ type: UpdateCompanyInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input: { id, ifVersion, ...changes } }, context) => updateCompany(context, { id, ifVersion }, changes),
  }),
  deleteCompany: t.field({
    type: CompanyType,
    description: 'Deletes a company, and frees its domains. `restoreCompany` brings it back.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'restoreCompany', isIdempotent: true },
    args: { input: t.arg({ type: DeleteCompanyInput, required: true, description: 'A company to delete.' }) },
    resolve: (_parent, { input }, context) => deleteCompany(context, input),
  }),
  restoreCompany: t.field({
    type: CompanyType,
    description: 'Brings a deleted company back. ALREADY_EXISTS where another company has one of its domains now.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'deleteCompany', isIdempotent: true },
    args: inputOfId('RestoreCompanyInput', 'A company to bring back.'),
    resolve: (_parent, { input }, context) => restoreCompany(context, input.id),
  }),
}))
