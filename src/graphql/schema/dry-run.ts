// Dry runs: the mutations that support them, and their argument `dryRun`.

import {
  defaultFieldResolver,
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { Context } from '../../kernel/context.ts'

/**
 * The mutations whose rules run wholly in the transaction of their context. All others are refused in a dry run, so a new one is refused
 * until it is added here. Not listed on purpose: claimOrganization and createSession, whose failed attempts are counted, because a dry run
 * would roll the count back and guesses would cost nothing.
 */
const tried: ReadonlySet<string> = new Set([
  'acceptOwnership',
  'confirmApiKey',
  'declineOwnership',
  'payForOrganization',
  'withdrawOwnership',
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
  'restoreContactsInBulk',
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
  'setOrganizationCountry',
  'startAgentRun',
  'startContactImport',
  'switchOrganization',
  'testWebhookEndpoint',
  'transferOwnership',
  'undoContactBulkChange',
  'undoMerge',
  'updateContact',
  'updateContactImport',
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
 * Adds the argument `dryRun` to every mutation that supports it, in the given schema itself: a copy would cost every start 30 ms. An argument,
 * not a header or the request's `extensions`: a misspelled argument, or one that an older process does not know, is refused instead of
 * ignored, so a dry run is never executed by mistake.
 */
export function withDryRun(schema: GraphQLSchema): GraphQLSchema {
  const mutations = schema.getMutationType()
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (type === mutations && canBeTried(field.name)) {
        field.args = [...field.args, argument]
        if (field.resolve) field.resolve = unaware(field.resolve)
      } else if (field.extensions.isSecret === true) field.resolve = withheld(field)
    }
  }
  return schema
}

const argument: GraphQLArgument = {
  name: dryRunArgument,
  type: GraphQLBoolean,
  description: 'Only tries it: nothing changes, and `extensions.dryRun` tells what would. The same for all fields of a mutation.',
  defaultValue: undefined,
  deprecationReason: undefined,
  extensions: {},
  astNode: undefined,
}

type Resolve = GraphQLFieldResolver<unknown, unknown>

// Removes `dryRun` before the resolver is called: run.ts has already read it, and rules do not depend on it.
const unaware =
  (resolve: Resolve): Resolve =>
  (parent, args, context, info) => {
    if (!(dryRunArgument in args)) return resolve(parent, args, context, info)
    const { [dryRunArgument]: _, ...others } = args
    return resolve(parent, others, context, info)
  }

// A secret of a dry run opens nothing, and an existing one is not for trying: the field is null, or empty where it is never null.
function withheld({ type, resolve = defaultFieldResolver }: GraphQLField<unknown, unknown>): Resolve {
  const empty = isNonNullType(type) ? (isListType(type.ofType) ? [] : '') : null
  // `as`: the context of every operation is a Context.
  return (parent, args, context, info) => ((context as Context).dryRun ? empty : resolve(parent, args, context, info))
}
