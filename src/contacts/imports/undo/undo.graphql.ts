// GraphQL: the undo of an import.

import { ActorType } from '../../../graphql/schema/actor.graphql.ts'
import { builder } from '../../../graphql/schema/builder.ts'
import type { ImportUndo } from './undo.sql.ts'

const UndoStatusEnum = builder.enumType('ContactImportUndoStatus', {
  description: 'How far the undo of an import has come.',
  values: {
    QUEUED: { value: 'queued', description: 'It begins soon.' },
    RUNNING: { value: 'running', description: 'Records are changed.' },
    COMPLETED: { value: 'completed', description: 'It has reached the last record.' },
    FAILED: { value: 'failed', description: 'It could not go on. Earlier changes stay; undoing again goes on.' },
  } as const,
})

export const ImportUndoType = builder.objectRef<ImportUndo>('ContactImportUndo').implement({
  description: 'The undo of an import.',
  fields: t => ({
    status: t.expose('status', { type: UndoStatusEnum, description: 'How far it has come.' }),
    statusReason: t.exposeString('statusReason', { nullable: true, description: 'Why it failed.' }),
    deletedCount: t.exposeInt('deletedCount', { description: 'Records of the file that the import had added, and that are deleted.' }),
    restoredCount: t.exposeInt('restoredCount', { description: 'Records that have their former values again.' }),
    keptCount: t.exposeInt('keptCount', {
      description: 'Records that keep values of the import, because somebody has changed them or worked on them since.',
    }),
    goneCount: t.exposeInt('goneCount', { description: 'Records that were deleted before.' }),
    companiesDeletedCount: t.int({
      description:
        'Companies that the import had made for its contacts, and that are deleted. Those with other contacts, deals, notes or tasks stay.',
      resolve: ({ companiesDeletedCount }) => companiesDeletedCount ?? 0,
    }),
    startedBy: t.expose('startedBy', { type: ActorType, description: 'The actor who undid it.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it was undone.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When the undo ended.' }),
  }),
})
