// Zod schemas of the enrichment endpoints' bodies and queries.

import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { EnrichmentJobStatus, SuggestionDecision, SuggestionStatus } from '../../../generated/operations.ts'
import { anyOf, camelCased, enumOf, filterId, filterIds, filterText, id, oneText } from '../inputs.ts'

// Shape only: lengths are validated by the rule.
const target = z
  .strictObject({
    host_app: z.string().meta({ description: 'The app the record belongs to; `rolocom` for our own records.' }),
    id: z.string().meta({ description: 'Its id there.' }),
    kind: z.string().meta({ description: 'Its kind: contact, company, or any other word.' }),
  })
  .meta({ id: 'EnrichmentTargetInput' })
  .transform(camelCased)

const job = {
  target,
  recipe: z.string().nullish(),
  options: z.record(z.string(), z.unknown()).nullish(),
}

export const newJob = z.strictObject(job).meta({ id: 'NewEnrichmentJob' })

export const newJobs = z
  .strictObject({
    jobs: z
      .array(z.strictObject(job).meta({ id: 'NewEnrichmentJobRow' }))
      .min(1)
      .max(100)
      .meta({ description: 'The jobs to queue.' }),
  })
  .meta({ id: 'NewEnrichmentJobs' })

/** `target` in queries: a short name for `target_id`. */
const byTarget = {
  target: anyOf(oneText(255)).meta({ description: 'About a record with any of these ids, at most 20: short for `target_id`.' }),
}

interface Targeted {
  target?: string[] | undefined
  target_id?: string[] | undefined
}

/** Whether `target` and `target_id` agree, if both are given. */
export const isOneTarget = ({ target, target_id: id }: Targeted) =>
  target === undefined || id === undefined || isDeepStrictEqual(new Set(target), new Set(id))
const difference = 'it is short for target_id, which says something else'
/** The problem if they differ. With `when` it is reported together with other problems. */
export const differs = {
  path: ['target'],
  when: () => true,
  message: `Value error, ${difference}`,
  params: { type: 'value_error', ctx: { error: difference } },
}

/** Replaces `target` by `target_id`, the variable of the document. */
export const oneTarget = <Query extends Targeted>(query: Query): Query =>
  query.target === undefined ? query : { ...query, target: undefined, target_id: query.target }

export const jobFilter = {
  status: anyOf(enumOf<EnrichmentJobStatus>('EnrichmentJobStatus')),
  recipe: anyOf(oneText(64)),
  host_app: anyOf(oneText(255)),
  target_id: anyOf(oneText(255)),
  target_kind: anyOf(oneText(64)),
  ...byTarget,
}

/** A number from 0 to 1 in a query string. */
const confidence = z
  .string()
  .transform((text, { issues }) => {
    const number = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= 0 && number <= 1)) {
      const error = 'a confidence is a number from 0 to 1'
      const params = { type: 'value_error', ctx: { error } }
      issues.push({ code: 'custom', input: text, message: `Value error, ${error}`, params })
    }
    return number
  })
  .meta({ type: 'number', minimum: 0, maximum: 1 })

// The conditions of a bulk decision. Each has one value.
const conditions = {
  field: filterText(80),
  provider: filterText(64),
  host_app: filterText(255),
  target_id: filterText(255),
  target_kind: filterText(64),
  contact_id: filterId,
  company_id: filterId,
  job_id: filterId,
  call_id: filterId,
}

export const suggestionFilter = {
  status: anyOf(enumOf<SuggestionStatus>('SuggestionStatus')),
  min_confidence: confidence.optional(),
  field: anyOf(oneText(80)),
  provider: anyOf(oneText(64)),
  host_app: anyOf(oneText(255)),
  target_id: anyOf(oneText(255)),
  target_kind: anyOf(oneText(64)),
  contact_id: filterIds(),
  company_id: filterIds(),
  job_id: filterIds(),
  call_id: filterIds(),
  ...byTarget,
}

export const rejection = z.strictObject({ reason: z.string().nullish() }).meta({ id: 'SuggestionRejection' })

export const bulkDecision = z
  .strictObject({
    decision: enumOf<SuggestionDecision>('SuggestionDecision'),
    rule: z
      .strictObject({
        ids: z.array(id()).max(200).optional(),
        only_empty: z.boolean().optional(),
        min_confidence: z.number().min(0).max(1).optional(),
        ...conditions,
      })
      .meta({ id: 'SuggestionRuleInput' })
      .transform(camelCased),
    reason: z.string().nullish(),
    after: id().nullish().meta({ description: 'The last suggestion of an earlier answer: goes on behind it.' }),
  })
  .meta({ id: 'BulkDecision' })
