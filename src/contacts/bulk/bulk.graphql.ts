// GraphQL: bulk changes of records. Each noun has a type, queries and mutations of its own, named after it.

import type { FieldMap, InputFieldRef } from '@pothos/core'
import { ActorType } from '../../graphql/schema/actor.graphql.ts'
import { builder, byId, inputOfId } from '../../graphql/schema/builder.ts'
import { RowErrorType } from '../../graphql/schema/error.graphql.ts'
import { enumOf } from '../../graphql/schema/fields.graphql.ts'
import { connectionOf, isCounted, pageArgs } from '../../graphql/schema/lists/connection.graphql.ts'
import { Node } from '../../graphql/schema/node.graphql.ts'
import { noun as declareNoun } from '../../graphql/schema/noun.graphql.ts'
import { load } from '../../kernel/dataloaders.ts'
import { enumeration } from '../../kernel/fields/enumeration.ts'
import { capitalized } from '../../kernel/input/case.ts'
import { loaderOfNoun, typeOfNoun } from '../records/hanging/hanging.graphql.ts'
import { idNameOf } from '../records/hanging/ref.ts'
import { type RecordNoun, tableOfNoun } from '../records/nouns.ts'
import type { BulkChange, BulkFailure, BulkStatus } from './bulk.sql.ts'
import {
  actionOf,
  type BulkActionName,
  cancelChange,
  deleteInBulk,
  getChange,
  listChanges,
  loadChanges,
  restoreInBulk,
  undoChange,
  undoOf,
  updateInBulk,
} from './bulk.ts'

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0]
type OutputFields = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, BulkChange>

/** The parts of a noun beside the usual actions. */
interface NounInBulk {
  filter: ReturnType<typeof builder.inputType>
  /** The fields that an update sets, in words. */
  sets: string
  inputs(t: InputFields): Record<string, InputFieldRef<typeof builder.$inferSchemaTypes, unknown>>
  outputs(t: OutputFields): FieldMap
  /** Further actions, with their descriptions. */
  actions?: Partial<Record<BulkActionName, string>>
  /** Why one is refused. */
  refused: string
  otherId: string
  /** Further words for the counted ones. */
  changed?: string
  /** Which ones a restoration refuses. */
  restores?: string
}

const statusesOf = (nouns: string): Record<BulkStatus, string> => ({
  queued: 'It begins soon.',
  running: `${capitalized(nouns)} are changed.`,
  completed: '',
  canceled: 'Somebody ended it. Earlier changes stay.',
  failed: 'It could not go on. Earlier changes stay.',
})

/** Adds the type of the bulk changes of a noun, and the queries and mutations of all nouns. Returns what further mutations of the noun need. */
export function bulkOf(noun: RecordNoun, given: NounInBulk) {
  const nouns = tableOfNoun[noun]
  const [Name, Names] = [capitalized(noun), capitalized(nouns)]
  const actions: Partial<Record<BulkActionName, string>> = {
    update: `Adds and removes tags, or sets ${given.sets}.`,
    delete: `Deletes ${nouns}.`,
    restore: `Restores deleted ${nouns}.`,
    ...given.actions,
    undo: 'Takes another bulk change back.',
  }
  const enumOfTexts = <Value extends string>(name: string, description: string, texts: Partial<Record<Value, string>>) =>
    enumOf(enumeration(name, description, texts as Record<Value, string>))
  const ActionEnum = enumOfTexts<BulkActionName>(`${Name}BulkAction`, 'Action of a bulk change.', actions)
  const StatusEnum = enumOfTexts<BulkStatus>(`${Name}BulkChangeStatus`, 'How far a bulk change has come.', {
    ...statusesOf(nouns),
    completed: `It has reached the last ${noun}.`,
  })

  const FailureType = builder.objectRef<BulkFailure>(`${Name}BulkFailure`).implement({
    description: `A ${noun} that refused a bulk change.`,
    fields: t => ({
      [idNameOf[noun]]: t.exposeID('contactId', { description: `The ${noun}.` }),
      [noun]: t.field({
        type: typeOfNoun[noun],
        nullable: true,
        description: `The ${noun} as it is now, deleted or not.`,
        resolve: ({ contactId }, _args, context) => load(context, loaderOfNoun[noun], contactId),
      }),
      error: t.field({ type: RowErrorType, description: 'Why.', resolve: ({ code, message }) => ({ code, message, problems: null }) }),
      otherId: t.exposeID('otherId', { nullable: true, description: given.otherId }),
    }),
  })

  const Type = builder.objectRef<BulkChange>(`${Name}BulkChange`).implement({
    description: `A change of chosen ${nouns}, or of all that match a filter, made in the background.`,
    interfaces: [Node],
    fields: t => ({
      id: t.exposeID('id', { description: 'Its id.' }),
      action: t.field({ type: ActionEnum, description: 'Its action.', resolve: actionOf }),
      addTags: t.stringList({ description: 'Tags that it adds.', resolve: ({ parameters }) => [...(parameters.addTags ?? [])] }),
      removeTags: t.stringList({ description: 'Tags that it removes.', resolve: ({ parameters }) => [...(parameters.removeTags ?? [])] }),
      ownerUserId: t.string({
        nullable: true,
        description: 'The owner that it sets; null for none, and for a change that sets none.',
        resolve: ({ parameters }) => parameters.ownerUserId ?? null,
      }),
      ...given.outputs(t),
      status: t.expose('status', { type: StatusEnum, description: 'How far it has come.' }),
      statusReason: t.exposeString('statusReason', { nullable: true, description: 'Why it failed.' }),
      total: t.exposeInt('total', {
        nullable: true,
        description: `How many ${nouns} it was about at its start; null if counting took too long.`,
      }),
      changedCount: t.exposeInt('changedCount', { description: `${Names} that it has changed so far${given.changed ?? ''}.` }),
      unchangedCount: t.exposeInt('unchangedCount', { description: `${Names} that were as it wants them already.` }),
      failedCount: t.exposeInt('failedCount', { description: `${Names} that refused it, such as ${given.refused}.` }),
      failures: t.field({
        type: [FailureType],
        description: `The first 100 of the ${nouns} that refused it, with the reasons.`,
        resolve: ({ failures }) => [...failures],
      }),
      undoOfId: t.exposeID('undoOfId', { nullable: true, description: 'The change that it takes back.' }),
      undoneById: t.id({
        nullable: true,
        description: 'The change that takes this one back.',
        resolve: (row, _args, context) => undoOf(context, row),
      }),
      createdBy: t.expose('createdBy', { type: ActorType, description: 'The actor who asked for it.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: `When it was asked for. Later ${nouns} are left out.` }),
      startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true, description: 'When it began.' }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
    }),
  })

  const Connection = connectionOf(`${Name}BulkChange`, 'bulk changes', Type)
  const one = `${noun}BulkChange`

  builder.queryFields(t => ({
    [one]: t.field({
      type: Type,
      nullable: true,
      description: 'A bulk change by its id; null with NOT_FOUND.',
      authScopes: { scope: 'contacts:read' },
      args: byId,
      resolve: (_parent, { id }, context) => getChange(context, noun, id),
    }),
    [`${one}s`]: t.field({
      type: Connection,
      description: `The organization's bulk changes${noun === 'contact' ? '' : ` of ${nouns}`}, newest first.`,
      authScopes: { scope: 'contacts:read' },
      args: pageArgs,
      resolve: (_parent, args, context, info) => listChanges(context, noun, { ...args, counted: isCounted(info) }),
    }),
  }))

  /** The members of inputs that say which records are meant. */
  const selectionFields = (t: InputFields) => ({
    ids: t.idList({ description: `1 to 1000 ${nouns}. Ids of none are left out. Either these or \`filter\`.` }),
    filter: t.field({
      type: given.filter,
      description: 'All that match it, at the time of asking; `{}` is all. Either this or `ids`.',
    }),
  })

  const UpdateInput = builder.inputType(`Update${Names}InBulkInput`, {
    description: `The changes and the ${nouns}.`,
    fields: t => ({
      ...selectionFields(t),
      addTags: t.stringList({ description: 'Tags to add.' }),
      removeTags: t.stringList({ description: 'Tags to remove.' }),
      ownerUserId: t.string({ description: 'The member who looks after them from now on; null for nobody. Absent: as it is.' }),
      ...given.inputs(t),
    }),
  })
  const DeleteInput = builder.inputType(`Delete${Names}InBulkInput`, {
    description: `Which ${nouns} to delete.`,
    fields: selectionFields,
  })
  const refusals = `, one that lives is unchanged${noun === 'deal' ? '' : ', one that was merged is refused'}`
  const RestoreInput = builder.inputType(`Restore${Names}InBulkInput`, {
    description: `Which deleted ${nouns} to restore.`,
    fields: t => ({
      ids: t.idList({ description: `1 to 1000 ${nouns}. Ids of none are left out${refusals}. Either these or \`filter\`.` }),
      filter: t.field({
        type: given.filter,
        description:
          'All deleted ones that match it, at the time of asking, as with `onlyDeleted`; `{}` is all of them. Either this or `ids`.',
      }),
    }),
  })

  const undo = `undo${Name}BulkChange`
  const undoneBy = `${undo} for 7 days`
  builder.mutationFields(t => ({
    [`update${Names}InBulk`]: t.field({
      type: Type,
      description: `Queues a change of tags, ${given.sets} of many ${nouns}. Each is changed as \`update${Name}\` does, with its version and its event; \`changes\` tells of the progress, not of each ${noun}.`,
      authScopes: { scope: 'contacts:write' },
      effect: { overwrites: true, undoneBy },
      args: { input: t.arg({ type: UpdateInput, required: true, description: 'The changes.' }) },
      resolve: (_parent, { input }, context) => updateInBulk(context, noun, input),
    }),
    [`delete${Names}InBulk`]: t.field({
      type: Type,
      description: `Queues the deletion of many ${nouns}. \`${undo}\` restores them.`,
      authScopes: { scope: 'contacts:write' },
      effect: { overwrites: true, undoneBy, isIdempotent: true },
      args: { input: t.arg({ type: DeleteInput, required: true, description: `Which ${nouns}.` }) },
      resolve: (_parent, { input }, context) => deleteInBulk(context, noun, input),
    }),
    [`restore${Names}InBulk`]: t.field({
      type: Type,
      description: `Queues the restoration of many deleted ${nouns}, each as \`restore${Name}\` does.${given.restores ?? ''}`,
      authScopes: { scope: 'contacts:write' },
      effect: { overwrites: true, undoneBy, isIdempotent: true },
      args: { input: t.arg({ type: RestoreInput, required: true, description: `Which ${nouns}.` }) },
      resolve: (_parent, { input }, context) => restoreInBulk(context, noun, input),
    }),
    [`cancel${Name}BulkChange`]: t.field({
      type: Type,
      description: 'Ends a bulk change. Its earlier changes stay.',
      authScopes: { scope: 'contacts:write' },
      effect: { overwrites: true },
      args: inputOfId(`Cancel${Name}BulkChangeInput`, 'A bulk change to end.'),
      resolve: (_parent, { input }, context) => cancelChange(context, noun, input.id),
    }),
    [undo]: t.field({
      type: Type,
      description:
        'Queues the reversal of a change, deletion or restoration, within 7 days of its end. It sets back only values that nobody has changed since, and works once.',
      authScopes: { scope: 'contacts:write' },
      effect: { overwrites: true },
      args: inputOfId(`Undo${Name}BulkChangeInput`, 'A bulk change to take back.'),
      resolve: (_parent, { input }, context) => undoChange(context, noun, input.id),
    }),
  }))

  declareNoun(`${noun}_bulk_change`, Type, { scope: 'contacts:read', load: loadChanges[noun] })
  return { Type, selectionFields, undoneBy }
}
