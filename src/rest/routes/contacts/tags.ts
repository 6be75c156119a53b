// The endpoints of tags.

import { z } from 'zod'
import { ListTagsDocument, MergeTagsDocument, type RecordNoun, RenameTagDocument } from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { enumOf, filterText, pageOf, total } from '../inputs.ts'
import { contactExamples as examples } from './examples.ts'

const tags = '/api/crm/v1/tags'
/** `-count` sorts the tags with the most records first; the GraphQL schema has an enum value for it. */
const sort = z
  .enum(['name', '-count'])
  .transform(sort => (sort === '-count' ? 'count_desc' : sort))
  .optional()
  .meta({ title: 'TagOrder', unlessGiven: 'name' })
const noun = enumOf<RecordNoun>('RecordNoun').optional().meta({ description: 'The noun that has the tags.', unlessGiven: 'contact' })
const aTag = { role: 'api', tag: 'Tags', callers: developers } as const

export const tagRoutes: readonly Route[] = [
  route('GET', tags, ListTagsDocument, {
    ...aTag,
    summary: 'List tags',
    description: 'The tags of contacts that are not deleted, or of records of another noun, each with their number.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, sort, include: total, noun, q: filterText(64) }),
    examples: { answer: examples.tagPage },
  }),
  derivedRoute('POST', `${tags}/rename`, RenameTagDocument, {
    ...aTag,
    summary: 'Rename a tag',
    description: 'On all contacts, or on all records of another noun, deleted ones included; their versions increase.',
    scope: 'contacts:write',
    takes: { name: 'TagRenaming', described: { to: 'The new name.' } },
    errors: { NOT_FOUND: 'no record has the tag', ALREADY_EXISTS: 'some records have a tag of the new name; merge the two' },
    examples: { body: examples.tagRenaming, answer: examples.tag },
  }),
  derivedRoute('POST', `${tags}/merge`, MergeTagsDocument, {
    ...aTag,
    summary: 'Merge tags',
    description:
      'Puts one tag in the place of others on all contacts, or on all records of another noun, deleted ones included; their versions increase.',
    scope: 'contacts:write',
    takes: {
      name: 'TagMerge',
      described: { names: 'Tags. Those that no record has are ignored.', into: 'The tag in their place, new or not.' },
    },
    errors: { NOT_FOUND: 'no record has any of the tags' },
    examples: { body: examples.tagMerge, answer: examples.tag },
  }),
]
