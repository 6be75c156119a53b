// Words of the exports of records.

import { room } from '../../language.ts'

export const exportWords = room('exports', {
  all: (records: string) => `Export all ${records}`,
  matching: (records: string) => `Export matching ${records}`,
  export: 'Export',
  view: 'Export this view',
  viewFields: 'Export this view with all fields',
  signUp: 'Sign up to export',
  downloaded: (file: string) => `${file} is downloaded`,
  failed: 'Nothing was exported',
})
