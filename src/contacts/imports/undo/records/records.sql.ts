// The companies, deals, notes and tasks that imports have written, with their former values.

import { statement } from '../../../../database/statement.ts'
import { boolean, integer, jsonb, rows, text, uuid } from '../../../../database/table.ts'
import type { FieldChanges } from '../undo.sql.ts'

export type UndoneNoun = 'company' | 'deal' | 'note' | 'task'

/**
 * $1 import, $2 the records as JSON, each once, $3 now. A version that somebody else has made in between stays out, so that the record counts as
 * changed. Of two changes of a field, the former value of the first stays.
 */
export const insertRecords = statement(
  'import_records_insert',
  `insert into contact_import_records (import_id, record_id, noun, is_created, version, changes, created_at)
   select $1, record_id, noun, is_created, version, changes, $3
   from json_to_recordset($2) as given (record_id uuid, noun text, is_created boolean, version integer, changes jsonb)
   on conflict (import_id, record_id) do update set
     version = case when contact_import_records.version >= (
         select from_version from json_to_recordset($2) as given (record_id uuid, from_version integer)
         where given.record_id = contact_import_records.record_id)
       then excluded.version else contact_import_records.version end,
     changes = contact_import_records.changes || (
       select coalesce(jsonb_object_agg(key, jsonb_build_array(coalesce(contact_import_records.changes -> key -> 0, value -> 0), value -> 1)), '{}')
       from jsonb_each(excluded.changes))`,
)

/**
 * $1 organization. Companies that were made for the contacts $3 by the import with first file $5, which member $4 has started at $2. Companies
 * of a file of companies stay out.
 */
export const companiesMade = statement(
  'import_companies_made',
  `select id, version from companies where org_id = $1 and source = 'import' and created_at >= $2 and created_by_id = $4
     and id = any(array(select company_id from contacts where org_id = $1 and id = any($3::uuid[])))
     and not exists (select from contact_import_records r where r.record_id = companies.id
       and r.import_id in (select i.id from contact_imports i where i.org_id = $1 and (i.id = $5 or i.part_of = $5)))`,
  rows({ id: uuid, version: integer }),
)

/** $1 import, $2 the record that they are behind, $3 the number. */
export const nextRecords = statement(
  'import_records_next',
  `select record_id, noun, is_created, version, changes from contact_import_records
   where import_id = $1 and record_id > $2 order by record_id limit $3`,
  rows({ recordId: uuid, noun: text.as<UndoneNoun>(), isCreated: boolean, version: integer, changes: jsonb.as<FieldChanges>() }),
)

export const anyRecord = statement(
  'import_records_any',
  'select exists (select from contact_import_records where import_id = $1) as has_any',
  rows({ hasAny: boolean }),
)

const hasHanging = (column: string) =>
  `exists (select from contact_notes where org_id = $1 and ${column} = given.id)
   or exists (select from contact_tasks where org_id = $1 and ${column} = given.id)`
const used = (noun: string, condition: string) =>
  statement(`import_${noun}_used`, `select id from unnest($2::uuid[]) as given (id) where ${condition}`, rows({ id: uuid }))

/** Of the companies $2, those with notes, tasks, contacts or deals. */
export const usedCompanies = used(
  'companies',
  `${hasHanging('company_id')}
   or exists (select from contacts where org_id = $1 and company_id = given.id and deleted_at is null)
   or exists (select from deals where org_id = $1 and company_id = given.id and deleted_at is null)`,
)
/** Of the deals $2, those with notes, tasks or calls. */
export const usedDeals = used('deals', `${hasHanging('deal_id')} or exists (select from calls where org_id = $1 and deal_id = given.id)`)
