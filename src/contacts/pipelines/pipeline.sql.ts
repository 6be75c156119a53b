// The statements that read and write pipelines and their stages. An organization has few of both.

import { statement } from '../../database/statement.ts'
import { pipelineTable, stageTable } from './row.ts'

const { all } = pipelineTable
const { all: allOfStages } = stageTable

export const selectPipelines = statement('pipelines', `select ${all.sql} from pipelines where org_id = $1 order by position, id`, all)
/** Writers of a pipeline and its stages lock it first. */
export const lockPipeline = statement(
  'pipeline_lock',
  `select ${all.sql} from pipelines where org_id = $1 and id = $2 for no key update`,
  all,
)
export const insertedPipeline = pipelineTable.values()
export const insertPipeline = statement(
  'pipeline_insert',
  `insert into pipelines (${insertedPipeline.columns}) values (${insertedPipeline.parameters()})`,
)
export const updatedPipeline = pipelineTable.values(['name', 'position', 'updatedAt', 'version'])
/** $1 organization, $2 id, then the columns. */
export const updatePipelineRow = statement(
  'pipeline_update',
  `update pipelines set ${updatedPipeline.assignments(3)} where org_id = $1 and id = $2`,
)
/** $1 organization, $2 the ids in their new order. */
export const placePipelines = statement(
  'pipelines_place',
  `update pipelines set position = given.place - 1
   from unnest($2::uuid[]) with ordinality as given (id, place) where org_id = $1 and pipelines.id = given.id`,
)
export const removePipeline = statement('pipeline_remove', 'delete from pipelines where org_id = $1 and id = $2')
export const removeStagesOf = statement('pipeline_stages_remove', 'delete from stages where org_id = $1 and pipeline_id = $2')

/** $2 a pipeline, or null for all. */
export const selectStages = statement(
  'stages',
  `select ${allOfStages.sql} from stages where org_id = $1 and ($2::uuid is null or pipeline_id = $2) order by pipeline_id, position, id`,
  allOfStages,
)
/** $2 a stage. */
export const selectStage = statement('stage', `select ${allOfStages.sql} from stages where org_id = $1 and id = $2`, allOfStages)
const inserted = stageTable.values()
/** $1 the rows, as JSON. */
export const insertStages = statement(
  'stages_insert',
  `insert into stages (${inserted.columns}) select ${inserted.columns} from json_to_recordset($1) as given (${inserted.definitions})`,
)
export const stageRecord = inserted.record
export const updatedStage = stageTable.values(['name', 'probability', 'staleAfterDays'])
/** $1 organization, $2 id, then the columns. */
export const updateStageRow = statement('stage_update', `update stages set ${updatedStage.assignments(3)} where org_id = $1 and id = $2`)
/** $1 organization, $2 the ids in their new order. */
export const placeStages = statement(
  'stages_place',
  `update stages set position = given.place - 1
   from unnest($2::uuid[]) with ordinality as given (id, place) where org_id = $1 and stages.id = given.id`,
)
export const removeStage = statement('stage_remove', 'delete from stages where org_id = $1 and id = $2')
