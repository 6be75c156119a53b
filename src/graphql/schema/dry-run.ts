// Dry runs: the mutations that can be tried, and their argument `dryRun`.

import { MapperKind, mapSchema } from '@graphql-tools/utils'
import { GraphQLBoolean, type GraphQLFieldConfig, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql'

/**
 * The mutations whose rules run wholly in the transaction of their context. All others are refused in a dry run, so a new one is refused
 * until it is added here. Not here, on purpose: those that show an existing secret or count attempts (claimOrganization, createSession,
 * revealSigningSecret), whose record would be rolled back, those whose answer is a link (createContactExport, createContactImportReport), the
 * one that needs an uploaded file (createContactImport), and those that take a provider's message (recordProviderEvent, replayProviderEvent)
 * or ask a provider (provisionVoiceAgent).
 */
const tried: ReadonlySet<string> = new Set([
  'acceptSuggestion',
  'adjustCredits',
  'allowNumber',
  'archiveVoiceAgent',
  'batchContacts',
  'cancelAgentRun',
  'cancelCall',
  'cancelContactImport',
  'cancelEnrichmentJob',
  'changeMemberRole',
  'createApiKey',
  'createCall',
  'createContact',
  'createCustomField',
  'createNote',
  'createOrganization',
  'createSavedView',
  'createTask',
  'createVoiceAgent',
  'decideSuggestions',
  'deductCredits',
  'deleteContact',
  'deleteCustomField',
  'deleteNote',
  'deleteSavedView',
  'deleteTask',
  'denyNumber',
  'dismissDuplicate',
  'endSession',
  'enqueueEnrichment',
  'enqueueEnrichments',
  'grantCredits',
  'inviteMember',
  'inviteToOrganization',
  'leaveOrganization',
  'logNote',
  'mergeContacts',
  'mergeTags',
  'pauseVoiceAgent',
  'rejectSuggestion',
  'removeMember',
  'renameOrganization',
  'renameTag',
  'resendInvitation',
  'restoreContact',
  'resumeVoiceAgent',
  'retryAgentRun',
  'retryEnrichmentJob',
  'revokeAllSessions',
  'revokeApiKey',
  'revokeInvitation',
  'revokeOtherSessions',
  'revokeSession',
  'rotateApiKey',
  'rotateSigningSecret',
  'startAgentRun',
  'startContactImport',
  'switchOrganization',
  'transferOwnership',
  'undoMerge',
  'updateContact',
  'updateNote',
  'updateSavedView',
  'updateTask',
  'updateVoiceAgent',
  'updateVoiceSettings',
  'upsertContact',
  'voidCreditGrant',
  'wake',
])

export const canBeTried = (mutation: string): boolean => tried.has(mutation)

export const dryRunArgument = 'dryRun'

/**
 * Adds the argument to every mutation that can be tried. An argument, not a header or the request's `extensions`: a misspelled one, or one
 * that an older process does not know, is refused instead of ignored, so that what was meant to be tried never happens.
 */
export function withDryRun(schema: GraphQLSchema): GraphQLSchema {
  const mutations = schema.getMutationType()?.name
  return mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field, name, typeName) =>
      typeName === mutations && canBeTried(name) ? { ...field, args: { ...field.args, ...argument }, ...unaware(field) } : undefined,
  })
}

const argument = {
  [dryRunArgument]: {
    type: GraphQLBoolean,
    description: 'Only tries it: nothing changes, and `extensions.dryRun` tells what would. The same for all fields of a mutation.',
  },
}

// Rules do not know whether they are tried: run.ts has read the argument.
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
