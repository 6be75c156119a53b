// The nouns that the rows of a file become, for selects.

import type { ImportNoun } from '../generated/schema.ts'
import { importWords } from '../language/en/inputs/imports.ts'

export const nounOptions = (Object.entries(importWords.nouns) as [ImportNoun, string][]).map(([value, label]) => ({ value, label }))
