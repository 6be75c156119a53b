// What full payloads of webhooks have as `object`: the noun as REST shows it, by the name that events have for it.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  WebhookAgentRunDocument,
  WebhookCallDocument,
  WebhookContactDocument,
  WebhookContactImportDocument,
  WebhookContactTaskDocument,
  WebhookCreditBalanceDocument,
  WebhookCustomFieldDocument,
  WebhookEnrichmentJobDocument,
  WebhookInvitationDocument,
  WebhookNoteDocument,
  WebhookOrganizationDocument,
  WebhookSavedViewDocument,
  WebhookSuggestionDocument,
  WebhookSystemEventDocument,
  WebhookVoiceAgentDocument,
  WebhookWebhookEndpointDocument,
} from '../../generated/operations.ts'
import { run } from '../../graphql/execute/run.ts'
import type { Context } from '../../kernel/context.ts'
import type { Documented } from '../router/route.ts'
import { documentedAgent, documentedCall } from '../routes/voice/routes.ts'

type ObjectDocument = TypedDocumentNode<{ result: unknown }, { id: string }>

interface Representation {
  document: ObjectDocument
  /** Fields that REST documents as never null, with the value that replaces null. */
  documented?: Documented
}

/** Events of other nouns have no object. */
export const representations: Readonly<Record<string, Representation>> = {
  contact: { document: WebhookContactDocument },
  contact_import: { document: WebhookContactImportDocument },
  custom_field: { document: WebhookCustomFieldDocument },
  note: { document: WebhookNoteDocument },
  contact_task: { document: WebhookContactTaskDocument },
  saved_view: { document: WebhookSavedViewDocument },
  agent: { document: WebhookVoiceAgentDocument, documented: documentedAgent },
  call: { document: WebhookCallDocument, documented: documentedCall },
  enrichment_job: { document: WebhookEnrichmentJobDocument },
  suggestion: { document: WebhookSuggestionDocument },
  agent_run: { document: WebhookAgentRunDocument },
  system_event: { document: WebhookSystemEventDocument },
  organization: { document: WebhookOrganizationDocument },
  invitation: { document: WebhookInvitationDocument },
  credits: { document: WebhookCreditBalanceDocument },
  webhook_endpoint: { document: WebhookWebhookEndpointDocument },
}

/** The object as the context's principal may read it now; null for one that is gone. */
export async function objectOf(context: Context, entity: string, id: string): Promise<unknown> {
  const representation = Object.hasOwn(representations, entity) ? representations[entity] : undefined
  if (!representation) return null
  const { result } = await run(representation.document, { id }, context)
  if (result === null || typeof result !== 'object') return null
  const object: Record<string, unknown> = { ...result }
  for (const [field, unknown] of Object.entries(representation.documented ?? {})) if (object[field] === null) object[field] = unknown
  return object
}
