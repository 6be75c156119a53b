// GraphQL: one search over all nouns.

import { builder } from '../../graphql/schema/builder.ts'
import { lateEnum } from '../../graphql/schema/event.graphql.ts'
import { typesOf } from '../../graphql/schema/noun.graphql.ts'
import type { Mark, Snippet } from '../../kernel/search/snippet.ts'
import { defaultResults, isSearched, maxResults, type SearchResult, search, searchedNouns } from './search.ts'

const SearchTypeEnum = lateEnum<string>('SearchType', 'Kind of object that a search finds.', () =>
  searchedNouns().map(({ name, scope, search }) => ({ type: name, description: `${search.description}. Needs \`${scope}\`.` })),
)

const MarkType = builder.objectRef<Mark>('SearchMark').implement({
  description: 'Where a word of the query stands in the text of a snippet, in UTF-16 code units, as strings of JavaScript count.',
  fields: t => ({
    start: t.exposeInt('start', { description: 'The first, from 0.' }),
    end: t.exposeInt('end', { description: 'Behind the last.' }),
  }),
})

const SnippetType = builder.objectRef<Snippet>('SearchSnippet').implement({
  description: 'The text that matches, as plain text.',
  fields: t => ({
    text: t.exposeString('text', { description: 'At most 160 characters; an ellipsis stands for the rest.' }),
    marks: t.expose('marks', { type: [MarkType], description: 'The words of the query in it; empty where they are spelt otherwise.' }),
  }),
})

const SearchedEntity = builder.unionType('SearchedEntity', {
  description: 'An object that a search can find.',
  types: typesOf(isSearched),
})

const SearchResultType = builder.objectRef<SearchResult>('SearchResult').implement({
  description: 'Something that a search has found.',
  fields: t => ({
    type: t.expose('type', { type: SearchTypeEnum, description: 'Its kind.' }),
    entityId: t.exposeID('entityId', { description: 'Its id.' }),
    // `as never`: the row's `__typename` names its type.
    entity: t.field({ type: SearchedEntity, description: 'The entity itself.', resolve: ({ entity }) => entity as never }),
    title: t.exposeString('title', {
      description: 'A name to show: for a contact its name or address, for a note the name of its contact, for a call the called number.',
    }),
    rank: t.exposeFloat('rank', { description: '0 to 1, the best first. Names rank above words inside texts.' }),
    snippet: t.expose('snippet', { type: SnippetType, description: 'The part of its text that was found.' }),
  }),
})

const SearchResultsType = builder.objectRef<SearchResult[]>('SearchResults').implement({
  description: 'Results of a search.',
  fields: t => ({
    nodes: t.field({ type: [SearchResultType], description: 'The best first.', resolve: results => results }),
  }),
})

builder.queryField('search', t =>
  t.field({
    type: SearchResultsType,
    description:
      'Objects that match all words of a query, ranked, as somebody types: the last word may be unfinished, case and accents do not matter, contacts are found with a misspelt letter. A word or letter that hundreds of contacts share is ranked among the newest 200 of them. In notes and in older calls, one or two letters alone are a whole word. Only nouns that the caller may read.',
    authScopes: { someone: true },
    args: {
      query: t.arg.string({ required: true, description: 'Some words, at most 200 characters. None find nothing.' }),
      types: t.arg({ type: [SearchTypeEnum], description: 'Only these. Default: all that the caller may read.' }),
      first: t.arg.int({ defaultValue: defaultResults, description: `How many, 1 to ${maxResults}.` }),
    },
    resolve: (_root, args, context) => search(context, args),
  }),
)
