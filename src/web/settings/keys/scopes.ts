// The scopes that a person can choose.

import type { ApiKeyScope } from '../../generated/schema.ts'
import { keyWords } from '../../language/en/settings/keys.ts'

export const scopeWords = keyWords.scopes

export const singleScopes = (Object.keys(scopeWords) as ApiKeyScope[]).filter(scope => scope !== 'ALL')
