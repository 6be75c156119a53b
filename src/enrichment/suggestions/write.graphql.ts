// GraphQL: mutations that decide suggestions.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { RowErrorType } from '../../graphql/schema/error.graphql.ts'
import { load, withOwnLoader } from '../../kernel/dataloaders.ts'
import { type BulkResult, type BulkRow, decideSuggestions } from './bulk.ts'
import { SuggestionRuleInput, SuggestionType } from './suggestion.graphql.ts'
import { acceptSuggestion, loadSuggestions, rejectSuggestion } from './suggestion.ts'

const DecisionEnum = builder.enumType('SuggestionDecision', {
  description: 'A decision about suggestions.',
  values: {
    ACCEPT: { value: 'accept', description: 'Their values are taken over.' },
    REJECT: { value: 'reject', description: 'They are turned down.' },
  } as const,
})

const OutcomeEnum = builder.enumType('SuggestionOutcome', {
  description: 'Result of a suggestion that a rule decided.',
  values: {
    ACCEPTED: { value: 'accepted', description: 'Its value was taken over.' },
    REJECTED: { value: 'rejected', description: 'It was turned down.' },
    FAILED: { value: 'failed', description: 'It was left as it was, for the reason given.' },
  } as const,
})

/** A result row with the dataloader of its batch. */
interface DecidedRow extends BulkRow {
  decided: typeof loadSuggestions
}

const RowType = builder.objectRef<DecidedRow>('DecidedSuggestion').implement({
  description: 'Result of a suggestion that a rule decided.',
  fields: t => ({
    index: t.exposeInt('index', { description: 'Its place, from 0.' }),
    suggestionId: t.exposeID('id', { description: 'The suggestion.' }),
    outcome: t.expose('outcome', { type: OutcomeEnum, description: 'The outcome.' }),
    suggestion: t.field({
      type: SuggestionType,
      nullable: true,
      description: 'The suggestion as it is now.',
      resolve: ({ id, decided }, _args, context) => load(context, decided, id),
    }),
    error: t.expose('error', { type: RowErrorType, nullable: true, description: 'Why not; null when it was decided.' }),
  }),
})

const DecideSuggestionsPayload = builder.objectRef<BulkResult>('DecideSuggestionsPayload').implement({
  description: 'Result of the suggestions that fit a rule.',
  fields: t => ({
    results: t.field({
      type: [RowType],
      description: 'One by one, oldest first; at most 200.',
      resolve({ results }) {
        const decided = withOwnLoader(loadSuggestions)
        return results.map(row => ({ ...row, decided }))
      },
    }),
    succeeded: t.exposeInt('succeeded', { description: 'Suggestions decided.' }),
    failed: t.exposeInt('failed', { description: 'Suggestions left as they were.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'More fit the rule: ask again, with `after`.' }),
  }),
})

const RejectSuggestionInput = builder.inputType('RejectSuggestionInput', {
  description: 'A suggestion to turn down.',
  fields: t => ({
    id: t.id({ required: true, description: 'Its id.' }),
    reason: t.string({ description: 'Why, at most 1,000 characters.' }),
  }),
})

const DecideSuggestionsInput = builder.inputType('DecideSuggestionsInput', {
  description: 'A decision about suggestions.',
  fields: t => ({
    decision: t.field({ type: DecisionEnum, required: true, description: 'The decision.' }),
    rule: t.field({ type: SuggestionRuleInput, required: true, description: 'Which are meant.' }),
    reason: t.string({ description: 'Why, for those that are rejected.' }),
    after: t.id({ description: 'Behind this one: the last of an earlier answer, so that what failed there is not asked again.' }),
  }),
})

builder.mutationFields(t => ({
  acceptSuggestion: t.field({
    type: SuggestionType,
    description:
      'Takes the value over, where the record still has the one that the suggestion was made for: SUGGESTION_STALE for another, with ' +
      '`currentValue` for those who may `contacts:read`. TARGET_NOT_FOUND where no record matches the target, CONFLICT for a suggestion that is decided already.',
    authScopes: { scope: 'enrich:write' },
    effect: {
      overwrites: true,
      undoneBy: 'updateContact with the former value, which the suggestion has',
      isIdempotent: true,
    },
    args: inputOfId('AcceptSuggestionInput', 'A suggestion to take over.'),
    resolve: (_parent, { input }, context) => acceptSuggestion(context, input.id),
  }),
  rejectSuggestion: t.field({
    type: SuggestionType,
    description: 'Turns a suggestion down. CONFLICT for one that is decided already.',
    authScopes: { scope: 'enrich:write' },
    effect: {},
    args: { input: t.arg({ type: RejectSuggestionInput, required: true, description: 'A suggestion to turn down.' }) },
    resolve: (_parent, { input: { id, reason } }, context) => rejectSuggestion(context, id, reason),
  }),
  decideSuggestions: t.field({
    type: DecideSuggestionsPayload,
    description:
      'Decides all pending suggestions that fit a rule, each on its own. Values that a person set are replaced only when a signed-in ' +
      'person decides.',
    authScopes: { scope: 'enrich:write' },
    effect: { overwrites: true, undoneBy: 'updateContact with the former values, which the suggestions have', isIdempotent: true },
    args: { input: t.arg({ type: DecideSuggestionsInput, required: true, description: 'The decision and the suggestions.' }) },
    resolve: (_parent, { input }, context) => decideSuggestions(context, input),
  }),
}))
