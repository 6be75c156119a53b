// The endpoints of tags.

import { z } from 'zod'
import { ListTagsDocument, MergeTagsDocument, RenameTagDocument } from '../../../generated/operations.ts'
import { developers } from '../../router/callers.ts'
import { type Route, route } from '../../router/route.ts'
import { pageOf, total } from '../inputs.ts'
import { contactExamples as examples } from './examples.ts'
import { tagFilter, tagMerge, tagRenaming, tagSort } from './inputs.ts'

const tags = '/api/crm/v1/tags'
const aTag = { role: 'api', tag: 'Tags', callers: developers } as const

export const tagRoutes: readonly Route[] = [
  route({
    ...aTag,
    method: 'GET',
    path: tags,
    operationId: 'listTags',
    summary: 'List tags',
    description: 'The tags of contacts that are not deleted, each with their number.',
    scope: 'contacts:read',
    query: z.strictObject({ ...pageOf, sort: tagSort, include: total, ...tagFilter }),
    document: ListTagsDocument,
    status: 200,
    examples: { answer: examples.tagPage },
  }),
  route({
    ...aTag,
    method: 'POST',
    path: `${tags}/rename`,
    operationId: 'renameTag',
    summary: 'Rename a tag',
    description: 'On all contacts, deleted ones included; their versions increase.',
    scope: 'contacts:write',
    body: tagRenaming,
    document: RenameTagDocument,
    status: 200,
    errors: { NOT_FOUND: 'no contact has the tag', ALREADY_EXISTS: 'contacts have a tag of the new name; merge the two' },
    examples: { body: examples.tagRenaming, answer: examples.tag },
  }),
  route({
    ...aTag,
    method: 'POST',
    path: `${tags}/merge`,
    operationId: 'mergeTags',
    summary: 'Merge tags',
    description: 'Puts one tag in the place of others on all contacts, deleted ones included; their versions increase.',
    scope: 'contacts:write',
    body: tagMerge,
    document: MergeTagsDocument,
    status: 200,
    errors: { NOT_FOUND: 'no contact has any of the tags' },
    examples: { body: examples.tagMerge, answer: examples.tag },
  }),
]
