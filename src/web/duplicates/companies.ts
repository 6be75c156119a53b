// Companies that may be the same.

import { type Company, useCompanyFields } from '../company-record/fields.ts'
import {
  CompanyDuplicatesCountDocument,
  CompanyDuplicatesDocument,
  CompanyMergePreviewDocument,
  DismissCompanyDuplicateDocument,
  MergeCompaniesDocument,
  UndoCompanyMergeDocument,
} from '../generated/documents/duplicates.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import type { MergeKind } from './kind.ts'

export const companyMerges: MergeKind<Company> = {
  noun: 'company',
  words: duplicateWords.company,
  pairs: CompanyDuplicatesDocument,
  count: CompanyDuplicatesCountDocument,
  preview: CompanyMergePreviewDocument,
  merge: MergeCompaniesDocument,
  undo: UndoCompanyMergeDocument,
  dismiss: DismissCompanyDuplicateDocument,
  idName: 'companyId',
  isChangedBy: ({ type }) =>
    /^(COMPANY_(CREATED|UPDATED|DELETED|RESTORED|MERGED|UNMERGED|DUPLICATE_DISMISSED|BULK_CHANGE)|CONTACT_IMPORT_COMPLETED)/.test(type),
  useFields: useCompanyFields,
  nameOf: ({ name }) => name,
  detailOf: ({ domain, city }) => domain ?? city,
}
