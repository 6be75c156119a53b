// GraphQL: one search over all nouns.

import { ContactType } from '../../contacts/contact/contact.graphql.ts'
import { NoteType } from '../../contacts/notes/note.graphql.ts'
import { builder } from '../../graphql/schema/builder.ts'
import type { Mark, Snippet } from '../../kernel/search/snippet.ts'
import { VoiceAgentType } from '../../voice/agents/agent.graphql.ts'
import { CallType } from '../../voice/calls/call.graphql.ts'
import { defaultResults, maxResults, type SearchResult, search } from './search.ts'

const SearchTypeEnum = builder.enumType('SearchType', {
  description: 'What a search looks for.',
  values: {
    CONTACT: { value: 'contact', description: 'Contacts, by name, e-mail address, phone number and company. Needs `contacts:read`.' },
    NOTE: { value: 'note', description: 'Notes about contacts, by their text. Needs `contacts:read`.' },
    CALL: { value: 'call', description: 'Calls, by their summaries and what was said. Needs `calls:read`.' },
    AGENT: { value: 'agent', description: 'Voice agents, by name, instructions and first message. Needs `agents:read`.' },
  } as const,
})

const MarkType = builder.objectRef<Mark>('SearchMark').implement({
  description: 'Where a word of the query stands in the text of a snippet, in UTF-16 code units, as strings of JavaScript count.',
  fields: t => ({
    start: t.exposeInt('start', { description: 'The first, from 0.' }),
    end: t.exposeInt('end', { description: 'Behind the last.' }),
  }),
})

const SnippetType = builder.objectRef<Snippet>('SearchSnippet').implement({
  description: 'What was found, as plain text.',
  fields: t => ({
    text: t.exposeString('text', { description: 'At most 160 characters; what is left out is an ellipsis.' }),
    marks: t.expose('marks', { type: [MarkType], description: 'The words of the query in it; empty where they are spelt otherwise.' }),
  }),
})

const SearchedEntity = builder.unionType('SearchedEntity', {
  description: 'What a search finds.',
  types: [ContactType, NoteType, CallType, VoiceAgentType],
})

const SearchResultType = builder.objectRef<SearchResult>('SearchResult').implement({
  description: 'Something that a search has found.',
  fields: t => ({
    type: t.expose('type', { type: SearchTypeEnum, description: 'What it is.' }),
    entityId: t.exposeID('entityId', { description: 'Its id.' }),
    // `as never`: the row's `__typename` names its type.
    entity: t.field({ type: SearchedEntity, description: 'The entity itself.', resolve: ({ entity }) => entity as never }),
    title: t.exposeString('title', {
      description: 'A name to show: of a contact its name or address, of a note that of its contact, of a call the number called.',
    }),
    rank: t.exposeFloat('rank', { description: '0 to 1, the best first. Names rank above words inside texts.' }),
    snippet: t.expose('snippet', { type: SnippetType, description: 'The part of its text that was found.' }),
  }),
})

const SearchResultsType = builder.objectRef<SearchResult[]>('SearchResults').implement({
  description: 'What a search has found.',
  fields: t => ({
    nodes: t.field({ type: [SearchResultType], description: 'The best first.', resolve: results => results }),
  }),
})

builder.queryField('search', t =>
  t.field({
    type: SearchResultsType,
    description:
      'What matches all words of a query, ranked, as somebody types: the last word may be unfinished, case and accents do not matter, contacts are found with a misspelt letter. A word or letter that hundreds of contacts share is ranked among the newest 200 of them. In notes and in older calls, one or two letters alone are a whole word. Of nouns that the caller may read.',
    authScopes: { someone: true },
    args: {
      query: t.arg.string({ required: true, description: 'Some words, at most 200 characters. None find nothing.' }),
      types: t.arg({ type: [SearchTypeEnum], description: 'Only these. Default: all that the caller may read.' }),
      first: t.arg.int({ defaultValue: defaultResults, description: `How many, 1 to ${maxResults}.` }),
    },
    resolve: (_root, args, context) => search(context, args),
  }),
)
