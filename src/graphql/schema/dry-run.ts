// Dry runs: the mutations that support them, and their argument `dryRun`.

import { MapperKind, mapSchema } from '@graphql-tools/utils'
import {
  defaultFieldResolver,
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isListType,
  isNonNullType,
} from 'graphql'
import type { Context } from '../../kernel/context.ts'

/**
 * The mutations whose rules run wholly in the transaction of their context. All others are refused in a dry run, so a new one is refused
 * until it is added here. Not listed on purpose: claimOrganization and createSession, whose failed attempts are counted, because a dry run
 * would roll the count back and guesses would cost nothing.
 */
const tried: ReadonlySet<string> = new Set([
  'acceptSuggestion',
  'addDashboardWidget',
  'adjustCredits',
  'allowNumber',
  'archiveVoiceAgent',
  'batchContacts',
  'cancelAgentRun',
  'cancelCall',
  'cancelContactBulkChange',
  'cancelContactImport',
  'cancelEnrichmentJob',
  'changeMemberRole',
  'createApiKey',
  'createCall',
  'createContact',
  'createContactExport',
  'createContactImport',
  'createContactImportReport',
  'createCustomField',
  'createNote',
  'createOrganization',
  'createSavedView',
  'createTask',
  'createVoiceAgent',
  'createWebhookEndpoint',
  'createWidgetKey',
  'decideSuggestions',
  'deductCredits',
  'deleteContact',
  'deleteContactsInBulk',
  'deleteCustomField',
  'deleteNote',
  'deleteSavedView',
  'deleteTask',
  'deleteWebhookEndpoint',
  'denyNumber',
  'dismissDuplicate',
  'endSession',
  'enqueueEnrichment',
  'enqueueEnrichments',
  'enrichContactsInBulk',
  'grantCredits',
  'inviteMember',
  'inviteToOrganization',
  'leaveOrganization',
  'logNote',
  'mergeContacts',
  'mergeTags',
  'moveDashboardWidget',
  'pauseVoiceAgent',
  'provisionVoiceAgent',
  'recordProviderEvent',
  'rejectSuggestion',
  'removeDashboardWidget',
  'removeMember',
  'renameOrganization',
  'renameTag',
  'replayProviderEvent',
  'replayWebhookDeliveries',
  'replayWebhookDelivery',
  'resendInvitation',
  'restoreContact',
  'resumeVoiceAgent',
  'retryAgentRun',
  'retryEnrichmentJob',
  'revealSigningSecret',
  'revokeAllSessions',
  'revokeApiKey',
  'revokeInvitation',
  'revokeOtherSessions',
  'revokeSession',
  'revokeWidgetKey',
  'rotateApiKey',
  'rotateSigningSecret',
  'rotateWebhookSecret',
  'setEmbedOrigins',
  'startAgentRun',
  'startContactImport',
  'switchOrganization',
  'testWebhookEndpoint',
  'transferOwnership',
  'undoContactBulkChange',
  'undoMerge',
  'updateContact',
  'updateContactsInBulk',
  'updateDashboardWidget',
  'updateNote',
  'updatePreferences',
  'updateProfile',
  'updateSavedView',
  'updateTask',
  'updateVoiceAgent',
  'updateVoiceSettings',
  'updateWebhookEndpoint',
  'upsertContact',
  'voidCreditGrant',
  'wake',
])

export const canBeTried = (mutation: string): boolean => tried.has(mutation)

export const dryRunArgument = 'dryRun'

/**
 * Adds the argument `dryRun` to every mutation that supports it. An argument, not a header or the request's `extensions`: a misspelled
 * argument, or one that an older process does not know, is refused instead of ignored, so a dry run is never executed by mistake.
 */
export function withDryRun(schema: GraphQLSchema): GraphQLSchema {
  const mutations = schema.getMutationType()?.name
  return mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field, name, typeName) => {
      if (typeName === mutations && canBeTried(name)) return { ...field, args: { ...field.args, ...argument }, ...unaware(field) }
      return field.extensions?.isSecret === true ? withheld(field) : undefined
    },
  })
}

const argument = {
  [dryRunArgument]: {
    type: GraphQLBoolean,
    description: 'Only tries it: nothing changes, and `extensions.dryRun` tells what would. The same for all fields of a mutation.',
  },
}

// Removes `dryRun` before the resolver is called: run.ts has already read it, and rules do not depend on it.
function unaware({ resolve }: GraphQLFieldConfig<unknown, unknown>): { resolve?: GraphQLFieldResolver<unknown, unknown> } {
  if (!resolve) return {}
  return {
    resolve(parent, args, context, info) {
      if (!(dryRunArgument in args)) return resolve(parent, args, context, info)
      const { [dryRunArgument]: _, ...others } = args
      return resolve(parent, others, context, info)
    },
  }
}

// A secret of a dry run opens nothing, and an existing one is not for trying: the field is null, or empty where it is never null.
function withheld(field: GraphQLFieldConfig<unknown, unknown>): GraphQLFieldConfig<unknown, unknown> {
  const { type, resolve = defaultFieldResolver } = field
  const empty = isNonNullType(type) ? (isListType(type.ofType) ? [] : '') : null
  return {
    ...field,
    // `as`: the context of every operation is a Context.
    resolve: (parent, args, context, info) => ((context as Context).dryRun ? empty : resolve(parent, args, context, info)),
  }
}
