// Pipelines and their stages as they are stored, and their events.

import { integer, type RowOf, table, text, timestamptz, uuid } from '../../database/table.ts'
import { enumeration, type ValueOf } from '../../kernel/fields/enumeration.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'

export const pipelineEvents = eventsOf('pipeline', {
  created: 'A pipeline was added.',
  deleted: 'A pipeline was deleted.',
  updated: update('A pipeline or its stages were changed.'),
})

export const stageKinds = enumeration('StageKind', 'State of the deals in a stage.', {
  open: 'They are open.',
  won: 'They are won.',
  lost: 'They are lost.',
})
export type StageKind = ValueOf<typeof stageKinds>

export const pipelineTable = table('pipelines', {
  id: uuid,
  orgId: uuid,
  name: text,
  position: integer,
  createdAt: timestamptz,
  updatedAt: timestamptz,
  version: integer,
})
export interface Pipeline extends RowOf<typeof pipelineTable> {}

export const stageTable = table('stages', {
  id: uuid,
  orgId: uuid,
  pipelineId: uuid,
  name: text,
  position: integer,
  kind: text.as<StageKind>(),
  probability: integer,
  staleAfterDays: integer.orNull(),
})
export interface Stage extends RowOf<typeof stageTable> {}
