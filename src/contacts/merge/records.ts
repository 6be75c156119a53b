// Duplicates and merges of records of any noun, for callers that have one way for all nouns: tools.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { type Problem, valueError } from '../../kernel/input/problem.ts'
import type { Company } from '../companies/row.ts'
import type { Contact } from '../contact/row.ts'
import { companyDuplicates } from '../duplicates/companies.ts'
import { contactDuplicates } from '../duplicates/contacts.ts'
import { companyMerging } from './companies.ts'
import { chosenCompanyFields } from './company-fields.ts'
import { chosenFields } from './contact-fields.ts'
import { contactMerging } from './contacts.ts'
import type { CustomChoices, MergeSide } from './decide.ts'
import type { Merge } from './merge.ts'
import type { MergedNoun } from './move.sql.ts'

type AnyMerge = Merge<Contact> | Merge<Company>

/** Choices for the fields of any noun. */
export interface RecordChoices extends CustomChoices {
  readonly [field: string]: MergeSide | CustomChoices['custom']
}

interface RecordsToMerge {
  noun: MergedNoun
  winnerId: string
  loserId: string
  fields?: RecordChoices | null
}

const nouns = {
  contact: { duplicates: contactDuplicates, merging: contactMerging, plural: 'contacts', fields: chosenFields as readonly string[] },
  company: {
    duplicates: companyDuplicates,
    merging: companyMerging,
    plural: 'companies',
    fields: chosenCompanyFields as readonly string[],
  },
} as const satisfies Record<MergedNoun, unknown>

export const duplicatesOfNoun = (noun: MergedNoun) => nouns[noun].duplicates

/** The fields of all nouns for which one of two values is kept. */
export const anyChosenFields: readonly string[] = [...new Set(Object.values(nouns).flatMap(({ fields }) => fields))].toSorted()

export const previewOfRecords = (context: Context, { noun, winnerId, loserId }: RecordsToMerge) =>
  nouns[noun].merging.preview(context, { winnerId, loserId })

/** Throws INVALID for a choice of a field that the noun does not have. */
export function mergeRecords(context: Context, { noun, fields, ...pair }: RecordsToMerge): Promise<AnyMerge> {
  const { plural, fields: known } = nouns[noun]
  const problems = Object.keys(fields ?? {}).flatMap((field): Problem[] => {
    const error = `${plural} have no such field; they have ${known.join(', ')} and custom`
    return field === 'custom' || known.includes(field) ? [] : [valueError(['fields', field], error, fields?.[field])]
  })
  if (problems.length > 0) throw invalid(problems)
  return nouns[noun].merging.merge(context, { ...pair, fields: fields ?? {} })
}

/** Undoes a merge of any noun. Throws NOT_FOUND. */
export async function undoMergeOfRecords(context: Context, id: string): Promise<AnyMerge> {
  const where = { id, orgId: organizationOf(context) }
  const found = isId(id) ? await context.db.prisma.contactMerge.findUnique({ where, select: { noun: true } }) : null
  const known = Object.entries(nouns).find(([noun]) => noun === found?.noun)
  if (!known) throw notFound('merge', id)
  return known[1].merging.undo(context, id)
}
