// GraphQL: what events of suggestions tell in timelines.

import { builder } from '../../graphql/schema/builder.ts'
import { entryOf, type TimelineRow } from '../../graphql/schema/entry.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { numberOf, textOf } from '../../kernel/events/told.ts'
import { SuggestionStatusEnum, SuggestionType } from './suggestion.graphql.ts'
import { type SuggestionStatus, suggestionEvents } from './suggestion.sql.ts'
import { loadSuggestions } from './suggestion.ts'

const { created, ...decided } = suggestionEvents
const statusAfter = new Map<string, SuggestionStatus>(Object.entries(decided).map(([name, type]) => [type, name as SuggestionStatus]))

entryOf(
  [created],
  builder.objectRef<TimelineRow>('SuggestionAddedEntry').implement({
    description: 'A value was suggested.',
    fields: t => ({
      suggestionId: t.exposeID('entityId', { description: 'The suggestion.' }),
      suggestion: t.field({
        type: SuggestionType,
        nullable: true,
        description: 'The suggestion as it is now.',
        resolve: ({ entityId }, _args, context) => load(context, loadSuggestions, entityId),
      }),
      field: t.string({ nullable: true, description: 'The field it is for.', resolve: entry => textOf(entry, 'field') }),
      proposedValue: t.field({
        type: 'JSON',
        nullable: true,
        description: 'The suggested value.',
        resolve: entry => entry.changes.proposedValue,
      }),
      confidence: t.float({
        nullable: true,
        description: 'How sure the provider is, 0 to 1.',
        resolve: entry => numberOf(entry, 'confidence'),
      }),
      provider: t.string({ nullable: true, description: 'Its source.', resolve: entry => textOf(entry, 'provider') }),
    }),
  }),
)

entryOf(
  Object.values(decided),
  builder.objectRef<TimelineRow>('SuggestionDecidedEntry').implement({
    description: 'A suggestion was decided, replaced, or expired.',
    fields: t => ({
      suggestionId: t.exposeID('entityId', { description: 'The suggestion.' }),
      suggestion: t.field({
        type: SuggestionType,
        nullable: true,
        description: 'The suggestion as it is now.',
        resolve: ({ entityId }, _args, context) => load(context, loadSuggestions, entityId),
      }),
      suggestionStatus: t.field({
        type: SuggestionStatusEnum,
        nullable: true,
        description: 'Its state after the event.',
        resolve: ({ type }) => statusAfter.get(type),
      }),
      field: t.string({ nullable: true, description: 'The field it is for.', resolve: entry => textOf(entry, 'field') }),
      proposedValue: t.field({
        type: 'JSON',
        nullable: true,
        description: 'The suggested value.',
        resolve: entry => entry.changes.proposedValue,
      }),
      reason: t.string({ nullable: true, description: 'The reason that the decider gave.', resolve: entry => textOf(entry, 'reason') }),
    }),
  }),
)
