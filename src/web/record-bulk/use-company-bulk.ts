// The changes of many companies.

import {
  ChangeCompaniesInBulkDocument,
  CompanyBulkChangeProgressDocument,
  DeleteCompaniesInBulkDocument,
  RestoreCompaniesInBulkDocument,
  UndoCompanyBulkChangeDocument,
} from '../generated/documents/record-bulk.ts'
import type { CompanyBulkChangeProgressQuery, CompanyFilter } from '../generated/operations.ts'
import type { RecordBulk } from './actions.tsx'
import type { ChangesOf } from './notice.tsx'
import { useStart } from './use-start.tsx'

const changes: ChangesOf<CompanyBulkChangeProgressQuery> = {
  noun: 'company',
  document: CompanyBulkChangeProgressDocument,
  stateOf: ({ companyBulkChange: change }) =>
    change && {
      ...change,
      failures: change.failures.map(({ companyId, company, otherId, error }) => ({
        id: companyId,
        otherId,
        error,
        name: company?.name ?? null,
      })),
    },
}

export function useCompanyBulk(): RecordBulk<CompanyFilter> {
  const start = useStart(changes, { document: UndoCompanyBulkChangeDocument, pick: data => data.undoCompanyBulkChange })
  return {
    change: (chosen, values) =>
      start(ChangeCompaniesInBulkDocument, { input: { ...chosen, ...values } }, data => data.updateCompaniesInBulk),
    remove: chosen => start(DeleteCompaniesInBulkDocument, { input: chosen }, data => data.deleteCompaniesInBulk),
    restore: chosen => start(RestoreCompaniesInBulkDocument, { input: chosen }, data => data.restoreCompaniesInBulk),
  }
}
