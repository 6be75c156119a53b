// The choices of a merge as a part of its input.

import { customKey } from '../contact-record/fields/fields.ts'
import type { Choices, Side } from './kind.ts'

/** Guarantee: the preview names only fields of the input. */
export function fieldsInput(choices: Choices): object {
  const own: Record<string, Side> = {}
  const custom: { key: string; keep: Side }[] = []
  for (const [field, keep] of Object.entries(choices)) {
    const key = customKey(field)
    if (key === null) own[field] = keep
    else custom.push({ key, keep })
  }
  return { ...own, ...(custom.length > 0 && { custom }) }
}
