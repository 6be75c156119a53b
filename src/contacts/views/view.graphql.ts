// GraphQL: saved views, and the mutations that write them.

import type { GraphQLSchema } from 'graphql'
import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId } from '../../graphql/schema/builder.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun } from '../../graphql/schema/noun.graphql.ts'
import { UserType } from '../../identity/users/user.graphql.ts'
import { userById } from '../../identity/users/user.ts'
import { invalid } from '../../kernel/errors.ts'
import { filterToShow, readDefinition, sortToShow } from './definition.graphql.ts'
import { type SavedView, type ViewNoun, viewNouns } from './view.sql.ts'
import {
  createView,
  type Definition,
  deleteView,
  getView,
  listViews,
  loadViews,
  maxPosition,
  maySeeEventOfView,
  nounOf,
  problemsOfView,
  updateView,
  type ViewInput,
  viewName,
} from './view.ts'

const ViewNounEnum = enumOf(viewNouns)

const SavedViewType = builder.objectRef<SavedView>('SavedView').implement({
  description: 'A list as somebody wants to see it again. Own ones are visible to their owner alone, shared ones to the organization.',
  interfaces: [Node],
  fields: t => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    noun: t.expose('noun', { type: ViewNounEnum, description: 'Its noun.' }),
    name: t.exposeString('name', { description: 'Its name for people.' }),
    filter: t.field({
      type: 'JSONObject',
      description: "The list's `filter`.",
      deprecationReason: 'Its fields have no types of their own. Read `conditions`.',
      resolve: (view, _args, _context, { schema }) => filterToShow(schema, view),
    }),
    sort: t.string({
      nullable: true,
      description: "The list's `sort`; null for its default.",
      resolve: (view, _args, _context, { schema }) => sortToShow(schema, view),
    }),
    columns: t.exposeStringList('columns', { description: 'The fields of the rows in their order; `custom.<key>` for custom fields.' }),
    isShared: t.exposeBoolean('isShared', { description: 'Whether the organization sees it.' }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether it is the one to begin with: one of the own ones and one of the shared ones of each noun.',
    }),
    position: t.exposeInt('position', { description: 'Its place among others.' }),
    ownerUserId: t.exposeID('ownerUserId', { nullable: true, description: 'Its owner; null for the view of an API key.' }),
    owner: t.field({
      type: UserType,
      nullable: true,
      description: 'Its owner; null also for one who has left.',
      resolve: ({ ownerUserId }, _args, context) => (ownerUserId === null ? null : userById(context, ownerUserId)),
    }),
    createdBy: t.expose('createdBy', { type: ActorType, description: 'The actor who saved it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was saved.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    version: t.exposeInt('version', { description: 'Counts the changes, from 1. A change can name the version it is meant for.' }),
  }),
})

const SavedViewConnection = connectionOf('SavedView', 'saved views', SavedViewType)

builder.queryFields(t => ({
  savedView: t.field({
    type: SavedViewType,
    nullable: true,
    description: 'A saved view; null with NOT_FOUND for one that does not exist, or that only others see.',
    authScopes: { scope: 'contacts:read' },
    args: byId,
    resolve: (_parent, { id }, context) => getView(context, id),
  }),
  savedViews: t.field({
    type: SavedViewConnection,
    description: 'The saved views that the caller sees, by position: shared ones, and the own ones of a signed-in user.',
    authScopes: { scope: 'contacts:read' },
    args: {
      ...pageArgs,
      noun: t.arg({ type: ViewNounEnum, description: 'Only lists of this.' }),
    },
    resolve: (_parent, args, context, info) => listViews(context, { ...args, counted: isCounted(info) }),
  }),
}))

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]

const viewFields = (t: InputFields) => ({
  filter: t.field({
    type: 'JSONObject',
    description: "The list's `filter`, checked against its type. Default: none.",
    deprecationReason: 'Its fields have no types of their own. Send `conditions`.',
  }),
  sort: t.string({ description: "A value of the list's `sort`. Default: the list's own.", extensions: { maxLength: 64 } }),
  columns: t.stringList({
    description: 'Fields of the rows in their order, at most 50; `custom.<key>` for custom fields.',
    extensions: { maxLength: 100 },
  }),
  isShared: t.boolean({ description: 'Whether the organization sees it. Default: false, and true for API keys.' }),
  isDefault: t.boolean({ description: 'Whether it is the one to begin with, in place of the one before. Default: false.' }),
  position: t.int({
    description: 'Its place among others, from 0. Default: the last.',
    extensions: { minimum: 0, maximum: maxPosition },
  }),
})

const CreateSavedViewInput = builder.inputType('CreateSavedViewInput', {
  description: 'A view to save.',
  fields: t => ({
    noun: t.field({ type: ViewNounEnum, required: true, description: 'Its noun.' }),
    name: t.string({
      required: true,
      description: 'Its name for people, 1 to 100 characters.',
      extensions: { maxLength: viewName.maxLength },
    }),
    ...viewFields(t),
  }),
})

const UpdateSavedViewInput = builder.inputType('UpdateSavedViewInput', {
  description: 'Changes of a view: an absent field stays as it is, null resets filter, order and columns.',
  fields: t => ({
    id: t.id({ required: true, description: "The view's id." }),
    ifVersion: t.int({ description: 'Changes this version only; PRECONDITION_FAILED for another.' }),
    name: t.string({ description: 'Its name for people, 1 to 100 characters.', extensions: { maxLength: viewName.maxLength } }),
    ...viewFields(t),
  }),
})

const DeleteSavedViewInput = builder.inputType('DeleteSavedViewInput', {
  description: 'A view to delete.',
  fields: t => ({
    id: t.id({ required: true, description: "The view's id." }),
    ifVersion: t.int({ description: 'Deletes this version only; PRECONDITION_FAILED for another.' }),
  }),
})

/** Throws INVALID with all problems of the input and of the definition. */
function checkDefinition(schema: GraphQLSchema, noun: ViewNoun, input: ViewInput & Parameters<typeof readDefinition>[2]): Definition {
  const { definition, problems } = readDefinition(schema, noun, input)
  if (problems.length > 0) throw invalid([...problemsOfView(input), ...problems])
  return definition
}

builder.mutationFields(t => ({
  createSavedView: t.field({
    type: SavedViewType,
    description: 'Saves a view. A viewer saves private ones.',
    authScopes: { scope: 'contacts:write', role: 'viewer' },
    effect: { undoneBy: 'deleteSavedView' },
    args: { input: t.arg({ type: CreateSavedViewInput, required: true, description: 'The view.' }) },
    resolve: (_parent, { input }, context, { schema }) =>
      createView(context, input.noun, input, checkDefinition(schema, input.noun, input)),
  }),
  updateSavedView: t.field({
    type: SavedViewType,
    description: 'Changes a view: an own one, or as an admin of the organization a shared one. A viewer changes private ones.',
    authScopes: { scope: 'contacts:write', role: 'viewer' },
    effect: { overwrites: true, undoneBy: 'updateSavedView with the former values', isIdempotent: true },
    args: { input: t.arg({ type: UpdateSavedViewInput, required: true, description: 'The changes.' }) },
    resolve: async (_parent, { input }, context, { schema }) =>
      updateView(context, input, checkDefinition(schema, await nounOf(context, input.id), input)),
  }),
  deleteSavedView: t.field({
    type: SavedViewType,
    description:
      'Deletes a view for good, and answers it: an own one, or as an admin of the organization a shared one. A viewer deletes private ones.',
    authScopes: { scope: 'contacts:write', role: 'viewer' },
    effect: { overwrites: true },
    args: { input: t.arg({ type: DeleteSavedViewInput, required: true, description: 'The view.' }) },
    resolve: (_parent, { input }, context) => deleteView(context, input),
  }),
}))

noun('saved_view', SavedViewType, { scope: 'contacts:read', load: loadViews, isOwn: maySeeEventOfView })
