// The names of scopes for people.

import type { ApiKeyScope } from '../../generated/schema.ts'

export const scopeWords = {
  CONTACTS_READ: 'Read contacts',
  CONTACTS_WRITE: 'Write contacts',
  CALLS_READ: 'Read calls',
  CALLS_WRITE: 'Place calls',
  AGENTS_READ: 'Read voice agents',
  AGENTS_WRITE: 'Write voice agents',
  ENRICH_READ: 'Read enrichment',
  ENRICH_WRITE: 'Enrich, accept suggestions',
  CREDITS_READ: 'Read credits',
  STATS_READ: 'Read figures',
  WEBHOOKS_MANAGE: 'Manage webhooks',
  INBOX_MANAGE: 'Read and finish your inbox',
  ALL: 'Everything',
} satisfies Record<ApiKeyScope, string>

export const singleScopes = (Object.keys(scopeWords) as ApiKeyScope[]).filter(scope => scope !== 'ALL')
