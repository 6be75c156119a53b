// The choices of a merge: for each field, the contact whose value stays.

import { customKey } from '../contact-record/fields/fields.ts'
import type { MergeFieldsInput, MergePreviewQuery } from '../generated/operations.ts'

type Preview = NonNullable<MergePreviewQuery['mergePreview']>
export type MergedField = Preview['fields'][number]
export type Side = 'WINNER' | 'LOSER'
/** The keys are the API's names of fields. */
export type Choices = Readonly<Record<string, Side>>

// The server combines the values of both contacts, so there is no choice.
const combined = new Set(['tags', 'doNotCall', 'lastContactedAt'])
export const isCombined = ({ field }: MergedField): boolean => combined.has(field)

/** The choices as a part of the input of `mergeContacts`. Guarantee: the preview names only fields of the input. */
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
