// The changes of many deals.

import {
  ChangeDealsInBulkDocument,
  DealBulkChangeProgressDocument,
  DeleteDealsInBulkDocument,
  MoveDealsInBulkDocument,
  RestoreDealsInBulkDocument,
  UndoDealBulkChangeDocument,
} from '../generated/documents/record-bulk.ts'
import type { DealBulkChangeProgressQuery, DealFilter } from '../generated/operations.ts'
import type { RecordBulk } from './actions.tsx'
import type { ChangesOf } from './notice.tsx'
import { useStart } from './use-start.tsx'

const changes: ChangesOf<DealBulkChangeProgressQuery> = {
  noun: 'deal',
  document: DealBulkChangeProgressDocument,
  stateOf: ({ dealBulkChange: change }) =>
    change && {
      ...change,
      failures: change.failures.map(({ dealId, deal, otherId, error }) => ({ id: dealId, otherId, error, name: deal?.title ?? null })),
    },
}

export function useDealBulk(): RecordBulk<DealFilter> {
  const start = useStart(changes, { document: UndoDealBulkChangeDocument, pick: data => data.undoDealBulkChange })
  return {
    change: (chosen, values) => start(ChangeDealsInBulkDocument, { input: { ...chosen, ...values } }, data => data.updateDealsInBulk),
    remove: chosen => start(DeleteDealsInBulkDocument, { input: chosen }, data => data.deleteDealsInBulk),
    restore: chosen => start(RestoreDealsInBulkDocument, { input: chosen }, data => data.restoreDealsInBulk),
    move: (chosen, stageId) => start(MoveDealsInBulkDocument, { input: { ...chosen, stageId } }, data => data.moveDealsInBulk),
  }
}
