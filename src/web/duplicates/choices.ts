// The choices of a merge: for each field, the contact whose value is kept.

import { customKey } from '../contact-record/fields/fields.ts'
import type { MergeFieldsInput, MergePreviewQuery } from '../generated/operations.ts'

type Preview = NonNullable<MergePreviewQuery['mergePreview']>
export type MergedField = Preview['fields'][number]
export type Side = 'WINNER' | 'LOSER'
/** By the id of the field, as the API calls it. */
export type Choices = Readonly<Record<string, Side>>

// Fields that combine the values of both contacts, so there is nothing to choose.
const combined = new Set(['tags', 'doNotCall', 'lastContactedAt'])
export const isCombined = ({ field }: MergedField): boolean => combined.has(field)

/** The choices as `mergeContacts` takes them. The preview names only fields that it knows. */
export function fieldsInput(choices: Choices): MergeFieldsInput {
  const own: Record<string, Side> = {}
  const custom: { key: string; keep: Side }[] = []
  for (const [field, keep] of Object.entries(choices)) {
    const key = customKey(field)
    if (key === null) own[field] = keep
    else custom.push({ key, keep })
  }
  return { ...own, ...(custom.length > 0 && { custom }) } as MergeFieldsInput
}
