// Builds the schema. Importing a *.graphql.ts registers its types. Throws if a root field declares no authScopes.

import type { GraphQLSchema } from 'graphql'
import '../../identity/applications/application.graphql.ts'
import '../../identity/keys/key.graphql.ts'
import '../../identity/oauth/oauth.graphql.ts'
import '../../identity/invitations/invitation.graphql.ts'
import '../../identity/organizations/organization.graphql.ts'
import '../../identity/organizations/ownership.graphql.ts'
import '../../identity/sessions/session.graphql.ts'
import '../../identity/sessions/sign-in-options.graphql.ts'
import '../../identity/users/profile.graphql.ts'
import '../../identity/users/user.graphql.ts'
import '../../contacts/assignment/rule.graphql.ts'
import '../../contacts/bulk/nouns/companies.graphql.ts'
import '../../contacts/bulk/nouns/contacts.graphql.ts'
import '../../contacts/bulk/nouns/deals.graphql.ts'
import '../../contacts/contact/batch/batch.graphql.ts'
import '../../contacts/contact/contact.graphql.ts'
import '../../contacts/contact/changes.graphql.ts'
import '../../contacts/contact/entries.graphql.ts'
import '../../contacts/contact/list/list.graphql.ts'
import '../../contacts/contact/company/company.graphql.ts'
import '../../contacts/companies/company.graphql.ts'
import '../../contacts/companies/entries.graphql.ts'
import '../../contacts/companies/list.graphql.ts'
import '../../contacts/companies/write.graphql.ts'
import '../../contacts/deals/deal.graphql.ts'
import '../../contacts/deals/entries.graphql.ts'
import '../../contacts/deals/list/board.graphql.ts'
import '../../contacts/deals/list/group.graphql.ts'
import '../../contacts/deals/list/list.graphql.ts'
import '../../contacts/deals/write.graphql.ts'
import '../../contacts/records/list/group.graphql.ts'
import '../../contacts/pipelines/pipeline.graphql.ts'
import '../../contacts/pipelines/settings.graphql.ts'
import '../../contacts/pipelines/write.graphql.ts'
import '../../contacts/custom-fields/field.graphql.ts'
import '../../contacts/notes/note.graphql.ts'
import '../../contacts/notes/entries.graphql.ts'
import '../../contacts/archives/archive.graphql.ts'
import '../../contacts/exports/export.graphql.ts'
import '../../contacts/tags/tag.graphql.ts'
import '../../contacts/tasks/task.graphql.ts'
import '../../contacts/tasks/entries.graphql.ts'
import '../../contacts/external-ids/external-id.graphql.ts'
import '../../contacts/imports/import.graphql.ts'
import '../../contacts/imports/write.graphql.ts'
import '../../contacts/views/view.graphql.ts'
import '../../contacts/stats/stats.graphql.ts'
import '../../contacts/timeline/timeline.graphql.ts'
import '../../contacts/duplicates/duplicate.graphql.ts'
import '../../contacts/merge/merge.graphql.ts'
import '../../voice/agents/agent.graphql.ts'
import '../../voice/calls/call.graphql.ts'
import '../../voice/calls/list.graphql.ts'
import '../../voice/stats/stats.graphql.ts'
import '../../voice/stats/group.graphql.ts'
import '../../voice/calls/timeline/changes.graphql.ts'
import '../../voice/calls/timeline/entries.graphql.ts'
import '../../voice/calls/write.graphql.ts'
import '../../voice/dispatch/waiting.graphql.ts'
import '../../voice/policy/settings.graphql.ts'
import '../../enrichment/stats/counts.graphql.ts'
import '../../enrichment/jobs/job.graphql.ts'
import '../../enrichment/jobs/entries.graphql.ts'
import '../../enrichment/jobs/bulk/bulk.graphql.ts'
import '../../enrichment/jobs/write.graphql.ts'
import '../../enrichment/recipes/recipe.graphql.ts'
import '../../enrichment/changes.graphql.ts'
import '../../enrichment/suggestions/suggestion.graphql.ts'
import '../../enrichment/suggestions/entries.graphql.ts'
import '../../enrichment/suggestions/group.graphql.ts'
import '../../enrichment/suggestions/write.graphql.ts'
import '../../credits/accounts/balance.graphql.ts'
import '../../credits/operator/operator.graphql.ts'
import '../../credits/ledger/transaction.graphql.ts'
import '../../credits/ledger/group.graphql.ts'
import '../../dashboard/dashboard.graphql.ts'
import '../../dashboard/sample-data/sample-data.graphql.ts'
import '../../dashboard/widgets/embed.graphql.ts'
import '../../dashboard/widgets/widget.graphql.ts'
import '../../gateway/heartbeat/event.graphql.ts'
import '../../gateway/changes.graphql.ts'
import '../../gateway/configuration/configuration.graphql.ts'
import '../../gateway/payloads/payload.graphql.ts'
import '../../gateway/runs/run.graphql.ts'
import '../../gateway/sessions/session.graphql.ts'
import '../../webhooks/endpoints/endpoint.graphql.ts'
import '../../webhooks/endpoints/write.graphql.ts'
import '../../webhooks/deliveries/delivery.graphql.ts'
import '../../inbox/items/item.graphql.ts'
import '../../inbox/preferences/preference.graphql.ts'
import '../../entities/changes.graphql.ts'
import '../../entities/node.graphql.ts'
import '../../entities/operations/operation.graphql.ts'
import '../../entities/search/search.graphql.ts'
import { withConditions } from '../../contacts/views/conditions.graphql.ts'
import { seal } from '../../kernel/nouns/declared.ts'
import { type AuthScopes, builder } from './builder.ts'
import { withDryRun } from './dry-run.ts'
import { readAsProperties } from './lists/selection.graphql.ts'

seal()

export const schema: GraphQLSchema = guardRoots(withDryRun(withConditions(readAsProperties(builder.toSchema({ sortSchema: false })))))

// Denied by default: throws at startup if a root field declares no authScopes.
function guardRoots(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const open = roots.flatMap(root =>
    Object.values(root?.getFields() ?? {})
      .filter(field => authScopesOf(field.extensions) === undefined)
      .map(field => `${root?.name}.${field.name}`),
  )
  if (open.length > 0) throw new Error(`These fields declare no authScopes: ${open.join(', ')}`)
  return schema
}

/** The authScopes that a field declares. */
export function authScopesOf(extensions: unknown): Partial<AuthScopes> | undefined {
  const options = (extensions as { pothosOptions?: { authScopes?: Partial<AuthScopes> } }).pothosOptions
  return options?.authScopes
}
