// GraphQL: the list of tags, and the mutations that rename and merge them.

import { builder } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { tag } from '../records/fields.ts'
import { recordNouns } from '../records/nouns.ts'
import { listTags, maxMerged, mergeTags, renameTag, type Tag } from './tag.ts'

const TagType = builder.objectRef<Tag>('Tag').implement({
  description: 'A text that contacts or companies are marked with.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Derived from organization, noun and name, for caches: a renamed tag has another one.' }),
    name: t.exposeString('name', { description: 'The tag as records have it.' }),
    count: t.exposeInt('count', { description: 'Records that have it and are not deleted.' }),
  }),
})

const TagSortEnum = builder.enumType('TagSort', {
  description: 'Orders of a list of tags.',
  values: {
    NAME: { value: 'name', description: 'By name, capital letters first.' },
    COUNT_DESC: { value: 'count_desc', description: 'The tags of the most records first.' },
  } as const,
})

const TagConnection = connectionOf('Tag', 'tags', TagType)

builder.queryField('tags', t =>
  t.field({
    type: TagConnection,
    description:
      "The tags of the organization's contacts, or of another noun. To count them of a part of the contacts only, group these by TAG.",
    authScopes: { scope: 'contacts:read' },
    args: {
      ...pageArgs,
      noun: t.arg({ type: enumOf(recordNouns), description: 'The noun that has them. Default: CONTACT.' }),
      q: t.arg.string({ description: 'Only those in which this stands, without regard to case.' }),
      sort: t.arg({ type: TagSortEnum, defaultValue: 'name', description: 'In which order.' }),
    },
    resolve: (_parent, args, context, info) => listTags(context, { ...args, counted: isCounted(info) }),
  }),
)

const RenameTagInput = builder.inputType('RenameTagInput', {
  description: 'A tag and its new name.',
  fields: t => ({
    noun: t.field({ type: enumOf(recordNouns), description: 'The noun that has it. Default: CONTACT.' }),
    name: t.string({ required: true, description: 'The tag.', extensions: { maxLength: tag.maxLength } }),
    to: t.string({ required: true, description: 'Its new name, at most 64 characters.', extensions: { maxLength: tag.maxLength } }),
  }),
})

const MergeTagsInput = builder.inputType('MergeTagsInput', {
  description: 'Tags, and the one in their place.',
  fields: t => ({
    noun: t.field({ type: enumOf(recordNouns), description: 'The noun that has them. Default: CONTACT.' }),
    names: t.stringList({
      required: true,
      description: '1 to 20 tags. Those that no record has are ignored.',
      extensions: { maxLength: tag.maxLength, minItems: 1, maxItems: maxMerged },
    }),
    into: t.string({
      required: true,
      description: 'The tag in their place, new or not, at most 64 characters.',
      extensions: { maxLength: tag.maxLength },
    }),
  }),
})

builder.mutationFields(t => ({
  renameTag: t.field({
    type: TagType,
    description:
      'Renames a tag on all contacts, or on all records of another noun, deleted ones included. ALREADY_EXISTS where some have the new name: merge the two. It is one change, TAG_RENAMED; the versions of the records increase without changes of their own.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'renameTag back' },
    args: { input: t.arg({ type: RenameTagInput, required: true, description: 'The tag and its new name.' }) },
    resolve: (_parent, { input }, context) => renameTag(context, input),
  }),
  mergeTags: t.field({
    type: TagType,
    description:
      'Puts one tag in the place of others, on all contacts, or on all records of another noun, deleted ones included. It is one change, TAG_MERGED; the versions of the records increase without changes of their own.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: MergeTagsInput, required: true, description: 'The tags.' }) },
    resolve: (_parent, { input }, context) => mergeTags(context, input),
  }),
}))

noun('tag', null, { scope: 'contacts:read' })
