// Reasons and evidence of the server that begin with a word of the contract, such as `not_configured: X is not set`.

import { isPlain } from '../data/sentences.ts'
import { enrichmentWords } from './en/enrichment.ts'
import { errorWords } from './en/errors.ts'
import { plainWords, sentence } from './values.ts'

/** Why a step of a run was skipped or failed. */
export function stepReason(reason: string): string {
  const [word = ''] = reason.split(':')
  if (Object.hasOwn(enrichmentWords.skipped, word)) return enrichmentWords.skipped[word as keyof typeof enrichmentWords.skipped]
  if (isPlain(reason)) return sentence(reason)
  return /^\w+$/.test(reason) ? plainWords(reason) : errorWords.code.UPSTREAM
}

/** Evidence from a call begins with the role of the speaker: `user: I am a buyer.` */
export const evidenceText = (evidence: string): string =>
  evidence.replace(
    /^(user|agent): /,
    (_all, role) => `${role === 'user' ? enrichmentWords.evidence.contact : enrichmentWords.evidence.agent}: `,
  )
