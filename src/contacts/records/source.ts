// Where a record came from. Unless the caller says it, the door of the request does.

import type { Context } from '../../kernel/context.ts'
import { enumeration, type ValueOf } from '../../kernel/fields/enumeration.ts'
import { bulkOperation } from '../../kernel/nouns/events.ts'

export const contactSources = enumeration('ContactSource', 'Where a contact or a company came from.', {
  api: 'An integration with an API key.',
  web: 'A person in the web app.',
  desktop: 'A person in the desktop app.',
  import: 'A file.',
  voice: 'A telephone call.',
  enrichment: 'An enrichment job.',
  hook: 'A webhook.',
  agent: 'An agent, through its tools.',
  system: 'The product itself.',
})
export type ContactSource = ValueOf<typeof contactSources>

export const importOperation = bulkOperation('importContacts', 'contact')
for (const noun of ['company', 'deal', 'contact_task']) bulkOperation(importOperation, noun)

/** The source of a record that the request adds. */
export function sourceOf({ principal, door, operation }: Context): ContactSource {
  if (operation === importOperation) return 'import'
  if (door === 'hooks') return 'hook'
  if (door === 'tools' || door === 'mcp') return 'agent'
  if (principal.kind === 'session') return 'web'
  return principal.kind === 'system' ? 'system' : 'api'
}
