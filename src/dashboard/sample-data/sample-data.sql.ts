// The statement that serializes the steps of adding sample data, and its removal.

import { statement } from '../../database/statement.ts'
import { rows, uuid } from '../../database/table.ts'

export const lockSampleData = statement(
  'sample_data_lock',
  'select org_id from sample_data where org_id = $1 for update',
  rows({ orgId: uuid }),
)
