// The order of names in the reader's language, for every list and choice that this page sorts: "Åke" stands beside "Anna", not behind "Zoe", and
// "Desk 2" before "Desk 10".

import { locale } from './language.ts'

const collator = new Intl.Collator(locale, { numeric: true })

export const byName: (one: string, other: string) => number = collator.compare

export const byLabel = (one: { label: string }, other: { label: string }): number => byName(one.label, other.label)
