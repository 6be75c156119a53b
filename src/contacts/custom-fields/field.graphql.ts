// GraphQL: the CustomField type, its query and its mutations.

import { builder, inputOfId } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { recordNouns } from '../records/nouns.ts'
import type { CustomField } from './field.sql.ts'
import { createCustomField, deleteCustomField, listCustomFields, loadCustomFields } from './field.ts'

export const CustomFieldTypeEnum = builder.enumType('CustomFieldType', {
  description: 'Type of the values of a custom field.',
  values: {
    TEXT: { value: 'text', description: 'Text of at most 10,000 characters.' },
    NUMBER: { value: 'number', description: 'A number.' },
    BOOLEAN: { value: 'boolean', description: 'True or false.' },
    DATE: { value: 'date', description: 'A day, as YYYY-MM-DD.' },
    SELECT: { value: 'select', description: 'One of the options.' },
    MULTI_SELECT: { value: 'multi_select', description: 'Some of the options.' },
    URL: { value: 'url', description: 'An http or https address.' },
  } as const,
})

const CustomFieldObject = builder.objectRef<CustomField>('CustomField').implement({
  description: "A field the organization has defined for its contacts or companies. Its values stand in the record's `custom`.",
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    noun: t.expose('noun', { type: enumOf(recordNouns), description: 'The noun that has it.' }),
    key: t.exposeString('key', { description: 'The name of the property in `custom`.' }),
    label: t.exposeString('label', { description: 'Its name for people.' }),
    type: t.expose('type', { type: CustomFieldTypeEnum, description: 'Type of its values.' }),
    options: t.exposeStringList('options', { description: 'The options of SELECT and MULTI_SELECT.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was defined.' }),
  }),
})

const CreateCustomFieldInput = builder.inputType('CreateCustomFieldInput', {
  description: 'A field to define.',
  fields: t => ({
    noun: t.field({ type: enumOf(recordNouns), description: 'The noun that has it. Default: CONTACT.' }),
    key: t.string({ required: true, description: 'A lower case letter, then up to 62 lower case letters, digits and underscores.' }),
    label: t.string({ required: true, description: 'Its name for people, 1 to 200 characters.' }),
    type: t.field({ type: CustomFieldTypeEnum, required: true, description: 'Type of its values.' }),
    options: t.stringList({ description: 'The options of SELECT and MULTI_SELECT: 1 to 200 of at most 100 characters.' }),
  }),
})

builder.queryField('customFields', t =>
  t.field({
    type: [CustomFieldObject],
    description: "The organization's custom fields of contacts, or of another noun, oldest first.",
    authScopes: { scope: 'contacts:read' },
    args: { noun: t.arg({ type: enumOf(recordNouns), description: 'The noun that has them. Default: CONTACT.' }) },
    resolve: (_parent, { noun }, context) => listCustomFields(context, noun),
  }),
)

builder.mutationFields(t => ({
  createCustomField: t.field({
    type: CustomFieldObject,
    description: 'Defines a custom field.',
    authScopes: { scope: 'contacts:write' },
    effect: { undoneBy: 'deleteCustomField' },
    args: { input: t.arg({ type: CreateCustomFieldInput, required: true, description: 'The field.' }) },
    resolve: (_parent, { input }, context) => createCustomField(context, input),
  }),
  deleteCustomField: t.field({
    type: CustomFieldObject,
    description: 'Removes a custom field, and its values from all records.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true },
    args: inputOfId('DeleteCustomFieldInput', 'A field to remove.'),
    resolve: (_parent, { input }, context) => deleteCustomField(context, input.id),
  }),
}))

noun('custom_field', CustomFieldObject, { scope: 'contacts:read', load: loadCustomFields })
