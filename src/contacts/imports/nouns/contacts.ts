// The contacts that rows of a file become.

import type { ContactPatch } from '../../contact/input.ts'
import type { LinkedRow } from './links.ts'

/** With the company that the row names by its id. Then its name in the file does not look for another one. */
export function contactInput({ input, linked }: Pick<LinkedRow, 'input' | 'linked'>): ContactPatch {
  const [companyId] = linked.links.company
  if (companyId === undefined) return input
  const { companyName: _, companyDomain: __, ...rest } = input
  return { ...rest, companyId }
}
