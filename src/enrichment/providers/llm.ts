// llm: a language model extracts fields from texts of earlier steps, with a quote for each value.

import { z } from 'zod'
import { nothing, type Provider } from './provider.ts'

const options = z.strictObject({
  /** Further instructions for the model. */
  instructions: z.string().max(4000).optional(),
  /** Values with a lower confidence are left out. */
  min_confidence: z.number().min(0).max(1).default(0.5),
})

export type LlmOptions = z.output<typeof options>

export const llm: Provider<LlmOptions> = {
  options,
  missing: (_options, { config }) => (config.ENRICHMENT_LLM_URL ? null : 'ENRICHMENT_LLM_URL'),
  isPaid: () => true,
  async run(situation) {
    if (situation.readings.length === 0 || situation.wanted.size === 0) return nothing()
    // The AI SDK takes 30 ms to load, which a start does without.
    const { extract } = await import('./extract.ts')
    return extract(situation)
  },
}
