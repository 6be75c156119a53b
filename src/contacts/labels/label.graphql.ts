// GraphQL: labels, their list, and the mutations that write them.

import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, checkedBy } from '../../graphql/schema/builder.ts'
import { inputFields, outputFields } from '../../graphql/schema/fields.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { readFields } from '../../kernel/fields/table.ts'
import { type Label, type LabelInput, labelFields } from './label.sql.ts'
import { createLabel, deleteLabel, getLabel, listLabels, loadLabels, updateLabel } from './label.ts'

const LabelType = builder.objectRef<Label>('Label').implement({
  description: "An organization's label.",
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    ...outputFields(t, labelFields),
    createdBy: t.expose('createdBy', { type: ActorType, description: 'The actor who added it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    version: t.exposeInt('version', { description: 'Counts the changes, from 1. A change can name the version it is meant for.' }),
  }),
})

const LabelConnection = connectionOf('Label', 'labels', LabelType)

builder.queryFields(t => ({
  label: t.field({
    type: LabelType,
    nullable: true,
    description: 'A label; null with NOT_FOUND for one that does not exist.',
    authScopes: { scope: 'contacts:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getLabel(context, id),
  }),
  labels: t.field({
    type: LabelConnection,
    description: "The organization's labels, newest first.",
    authScopes: { scope: 'contacts:read' },
    args: pageArgs,
    resolve: (_parent, args, context, info) => listLabels(context, { ...args, counted: isCounted(info) }),
  }),
}))

const CreateLabelInput = builder.inputType('CreateLabelInput', {
  description: 'A label to add.',
  fields: t => inputFields(t, labelFields, 'name'),
})

const UpdateLabelInput = builder.inputType('UpdateLabelInput', {
  description: 'Changes of a label: an absent field stays as it is.',
  fields: t => ({
    id: t.id({ required: true, description: "The label's id." }),
    ...inputFields(t, labelFields),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const DeleteLabelInput = builder.inputType('DeleteLabelInput', {
  description: 'A label to delete.',
  fields: t => ({
    id: t.id({ required: true, description: "The label's id." }),
    ifVersion: t.int({ description: 'Deletes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

const checksLabel = checkedBy(({ input = {} }: { input?: LabelInput }) => readFields(labelFields, input).problems)

builder.mutationFields(t => ({
  createLabel: t.field({
    type: LabelType,
    description: 'Adds a label.',
    authScopes: { scope: 'contacts:write' },
    effect: { undoneBy: 'deleteLabel' },
    extensions: checksLabel,
    args: { input: t.arg({ type: CreateLabelInput, required: true, description: 'The label.' }) },
    resolve: (_parent, { input }, context) => createLabel(context, input),
  }),
  updateLabel: t.field({
    type: LabelType,
    description: 'Changes a label.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true, undoneBy: 'updateLabel with the former values', isIdempotent: true },
    extensions: checksLabel,
    args: { input: t.arg({ type: UpdateLabelInput, required: true, description: 'The changes.' }) },
    resolve: (_parent, { input }, context) => updateLabel(context, input),
  }),
  deleteLabel: t.field({
    type: LabelType,
    description: 'Deletes a label for good, and answers it.',
    authScopes: { scope: 'contacts:write' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: DeleteLabelInput, required: true, description: 'The label.' }) },
    resolve: (_parent, { input }, context) => deleteLabel(context, input),
  }),
}))

noun('label', LabelType, { scope: 'contacts:read', load: loadLabels })
