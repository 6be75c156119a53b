// The cost and the undoing of a write, as its mutation declares them. MCP shows the same with its tools.

import type { DocumentNode } from 'graphql'
import type { JsonSchema } from '../../graphql/execute/json-schema.ts'
import { effectOfDocument } from '../../graphql/execute/run.ts'

/** Further members of an operation; none for a document that only reads. */
export function effectMembers(document: DocumentNode): JsonSchema {
  const effect = effectOfDocument(document)
  if (!effect) return {}
  const { cost, undoneBy } = effect
  return {
    'x-rolocom-reversible': undoneBy !== null,
    ...(undoneBy !== null && { 'x-rolocom-undone-by': undoneBy }),
    ...(cost && { 'x-rolocom-cost': { unit: 'credit', per: cost.per, ...(cost.setting !== null && { setting: cost.setting }) } }),
  }
}
