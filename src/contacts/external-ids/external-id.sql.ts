// The statements of ids in other systems.

import { statement } from '../../database/statement.ts'
import { rows, text, uuid } from '../../database/table.ts'
import { followAllMerges } from '../merge/move.sql.ts'

/** The nouns that have ids in other systems, with the columns of their ids, and their tables. */
const holders = {
  contact: { column: 'contact_id', table: 'contacts', isKeptDeleted: true },
  company: { column: 'company_id', table: 'companies', isKeptDeleted: true },
  deal: { column: 'deal_id', table: 'deals', isKeptDeleted: true },
  note: { column: 'note_id', table: 'contact_notes', isKeptDeleted: false },
  task: { column: 'task_id', table: 'contact_tasks', isKeptDeleted: false },
} as const
export type Holder = keyof typeof holders
export const holderNouns = Object.keys(holders) as Holder[]

const columns = holderNouns.map(noun => holders[noun].column)
const holder = `coalesce(${columns.join(', ')})`
const isLive = holderNouns
  .map(noun => {
    const { column, table, isKeptDeleted } = holders[noun]
    return isKeptDeleted ? `(${column} is null or (select deleted_at is null from ${table} where id = ${column}))` : null
  })
  .filter(condition => condition !== null)
  .join(' and ')

/** $1 organization, $2 source, $3 nouns and $4 ids, pairwise. The ids of live ones. */
export const selectByExternalIds = statement(
  'external_ids_by_key',
  `select noun, external_id, ${holder} as id from external_ids
   where org_id = $1 and source = $2 and (noun, external_id) in (select * from unnest($3::text[], $4::text[])) and ${isLive}`,
  rows({ noun: text, externalId: text, id: uuid }),
)

const ofHolder = (noun: Holder) => {
  const { column } = holders[noun]
  return {
    /** $1 organization, $2 the ids of records, notes or tasks. */
    select: statement(
      `external_ids_of_${noun}`,
      `select ${column} as id, source, external_id from external_ids where org_id = $1 and ${column} = any($2::uuid[])
       order by created_at, id`,
      rows({ id: uuid, source: text, externalId: text }),
    ),
    /**
     * $1 organization, $2 source, $3 ids of the rows, $4 ids there, $5 ids here. An id there that was of a deleted one is now of the new one.
     */
    insert: statement(
      `external_ids_insert_${noun}`,
      `insert into external_ids (id, org_id, noun, source, external_id, ${column})
       select id, $1, '${noun}', $2, external_id, held_by from unnest($3::uuid[], $4::text[], $5::uuid[]) as given (id, external_id, held_by)
       order by external_id
       on conflict (org_id, noun, source, external_id) do update set ${column} = excluded.${column}
       where external_ids.${column} <> excluded.${column}`,
    ),
  }
}
/** The statements of each noun. */
export const ofHolders: Readonly<Record<Holder, ReturnType<typeof ofHolder>>> = {
  contact: ofHolder('contact'),
  company: ofHolder('company'),
  deal: ofHolder('deal'),
  note: ofHolder('note'),
  task: ofHolder('task'),
}

/** $1 organization, $2 source. Makes imports of one system into an organization follow each other, so that none adds a record twice. */
export const lockSource = statement(
  'external_ids_lock',
  `select from pg_advisory_xact_lock(hashtextextended('external ids of ' || $2 || ' in ' || $1, 0))`,
)

followAllMerges('external_ids', { name: 'externalIds', description: 'Ids in other systems', isVersioned: false })
