// Words about data enrichment: suggestions, runs (jobs in the contract) and sources (recipes in the contract).

import type {
  EnrichmentJobStatus,
  EnrichmentResult,
  EnrichmentStepStatus,
  SuggestionDecision,
  SuggestionStatus,
  Verification,
} from '../../generated/schema.ts'
import { room } from '../language.ts'

export const enrichmentWords = room('enrichment', {
  runStatus: {
    QUEUED: 'Queued',
    RUNNING: 'Running',
    COMPLETED: 'Completed',
    FAILED: 'Failed',
    CANCELED: 'Canceled',
    INSUFFICIENT_CREDITS: 'Not enough credits',
  } satisfies Record<EnrichmentJobStatus, string>,
  result: { FOUND: 'Found', PARTIAL: 'Partly found', NO_DATA: 'Nothing found' } satisfies Record<EnrichmentResult, string>,
  stepStatus: { FOUND: 'Found', NO_DATA: 'Nothing found', SKIPPED: 'Skipped', FAILED: 'Failed' } satisfies Record<
    EnrichmentStepStatus,
    string
  >,
  suggestionStatus: {
    PENDING: 'To review',
    ACCEPTED: 'Accepted',
    AUTO_APPLIED: 'Applied automatically',
    REJECTED: 'Declined',
    SUPERSEDED: 'Replaced by a newer one',
    EXPIRED: 'Expired',
  } satisfies Record<SuggestionStatus, string>,
  decision: { ACCEPT: 'Accept', REJECT: 'Decline' } satisfies Record<SuggestionDecision, string>,
  verification: {
    VERIFIED: 'Verified',
    PROBABLE: 'Probably right',
    CATCH_ALL: 'Domain accepts any address',
    UNVERIFIED: 'Not verified',
  } satisfies Record<Verification, string>,
  sure: (percent: string) => `${percent} sure`,
  evidence: { contact: 'The contact', agent: 'The voice agent' },
  // The providers that come with Rolocom.
  provider: {
    calls: 'Earlier calls',
    email: 'Email check',
    gravatar: 'Gravatar',
    http: 'Data provider',
    llm: 'Language model',
    phone: 'Phone check',
    web: 'Company website',
  },
  // Why a step was skipped, by the first word of its reason.
  skipped: {
    condition_not_met: 'It does not apply to this contact.',
    free_mail_domain: 'The email is from a free provider, so it names no company.',
    not_configured: 'Not connected yet. Your administrator can connect it.',
    nothing_missing: 'Nothing was missing.',
    nothing_to_go_by: 'The contact has too few details to search with.',
    organization_not_allowed: 'Your organization may not use this paid source.',
  },
  connect: (source: string) => `Connect ${source}`,
  target: { contact: 'Contact', company: 'Company' },
  aModel: 'a language model',
})
