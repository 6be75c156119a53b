// The command lines of `rolocom enrich` and `rolocom suggestions`.

import { buildCommand, buildRouteMap } from '@stricli/core'
import { argument, commonFlags, flag, listFlags, text } from '../flags.ts'

export const enrich = buildCommand({
  loader: async () => (await import('./enrich.ts')).enrich,
  parameters: {
    flags: {
      ...commonFlags,
      recipe: text('name', 'The recipe. Default: the recipe for contacts'),
      watch: flag('Wait for its end'),
    },
    positional: { kind: 'tuple', parameters: [argument('contact', 'The id of a contact')] },
  },
  docs: {
    brief: 'Look up facts about a contact elsewhere',
    customUsage: [{ input: '01a1fb24-cc37-73f0-a612-214b2776a9d9 --watch', brief: 'ends with 1 unless the job was completed' }],
  },
})

const list = buildCommand({
  loader: async () => (await import('./list.ts')).list,
  parameters: { flags: { ...listFlags, contact: text('id', 'Those about this contact') } },
  docs: { brief: 'List suggestions that wait for a decision', customUsage: [{ input: '--all --json', brief: 'all of them, as JSON' }] },
})

const review = buildCommand({
  loader: async () => (await import('./review.ts')).review,
  parameters: { flags: { url: commonFlags.url, org: commonFlags.org, contact: text('id', 'Those about this contact') } },
  docs: {
    brief: 'Decide on suggestions, one key each',
    fullDescription:
      'Shows one suggestion after the other: a accepts it, d declines it, s skips it, u takes back the decision before, q quits.\nA decision is sent when the next one is made, or at the end.',
    customUsage: [{ input: '', brief: 'in a terminal' }],
  },
})

export const suggestions = buildRouteMap({
  routes: { list, review },
  docs: { brief: 'Decide on what enrichment suggests' },
})
