// The one schema. Importing a *.graphql.ts registers its types; here they become a schema that nobody left unguarded.

import { type GraphQLSchema, lexicographicSortSchema } from 'graphql'
import '../identity/api-key.graphql.ts'
import '../identity/organization.graphql.ts'
import '../identity/session.graphql.ts'
import '../contacts/batch.graphql.ts'
import '../contacts/contact.graphql.ts'
import '../contacts/contact-changed.graphql.ts'
import '../contacts/contact-write.graphql.ts'
import '../contacts/custom-field.graphql.ts'
import '../contacts/note.graphql.ts'
import '../contacts/stats.graphql.ts'
import '../contacts/timeline.graphql.ts'
import '../voice/agent.graphql.ts'
import '../voice/call.graphql.ts'
import '../voice/call-stats.graphql.ts'
import '../voice/call-updated.graphql.ts'
import '../voice/call-write.graphql.ts'
import '../voice/voice-settings.graphql.ts'
import '../enrichment/counts.graphql.ts'
import '../enrichment/job.graphql.ts'
import '../enrichment/job-write.graphql.ts'
import '../enrichment/recipe.graphql.ts'
import '../enrichment/stream.graphql.ts'
import '../enrichment/suggestion.graphql.ts'
import '../enrichment/suggestion-write.graphql.ts'
import '../credits/balance.graphql.ts'
import '../credits/operator.graphql.ts'
import '../credits/transaction.graphql.ts'
import '../dashboard/dashboard.graphql.ts'
import '../gateway/event.graphql.ts'
import '../gateway/live.graphql.ts'
import '../gateway/run.graphql.ts'
import '../gateway/session.graphql.ts'
import { type AuthScopes, builder } from './builder.ts'

export const schema: GraphQLSchema = guarded(lexicographicSortSchema(builder.toSchema()))

// Default deny: a root field that says nothing about who may ask stops the start.
function guarded(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const open = roots.flatMap(root =>
    Object.values(root?.getFields() ?? {})
      .filter(field => authScopesOf(field.extensions) === undefined)
      .map(field => `${root?.name}.${field.name}`),
  )
  if (open.length > 0) throw new Error(`These fields declare no authScopes: ${open.join(', ')}`)
  return schema
}

/** What a field declared about who may ask. */
export function authScopesOf(extensions: unknown): Partial<AuthScopes> | undefined {
  const options = (extensions as { pothosOptions?: { authScopes?: Partial<AuthScopes> } }).pothosOptions
  return options?.authScopes
}
