// The table of saved views, and the statements that read and lock them.

import { shortRead, statement } from '../../database/statement.ts'
import {
  bigint,
  boolean,
  integer,
  jsonb,
  object,
  type RowOf,
  rows,
  table,
  text,
  textArray,
  timestamptz,
  uuid,
} from '../../database/table.ts'
import { enumeration, type ValueOf } from '../../kernel/fields/enumeration.ts'
import { actorColumns } from '../../kernel/principal.ts'

/** The lists that views are made for. In camelCase the name is the root field of the list. */
export const viewNouns = enumeration('ViewNoun', 'Noun of a saved view.', {
  contacts: 'The list `contacts`.',
  companies: 'The list `companies`.',
  deals: 'The list `deals`.',
  calls: 'The list `calls`.',
  tasks: 'The list `tasks`.',
  suggestions: 'The list `suggestions`.',
  enrichment_jobs: 'The list `enrichmentJobs`.',
  voice_agents: 'The list `voiceAgents`.',
})
export type ViewNoun = ValueOf<typeof viewNouns>

const views = table('saved_views', {
  id: uuid,
  orgId: uuid,
  ownerUserId: text.orNull(),
  noun: text.as<ViewNoun>(),
  name: text,
  filter: jsonb.as<Readonly<Record<string, unknown>>>(),
  sort: text.orNull(),
  columns: textArray,
  isShared: boolean,
  isDefault: boolean,
  position: integer,
  createdBy: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  version: integer,
})
/** `filter` and `sort` have the values that rules use, such as `lead`, instead of the schema's enum names. */
export interface SavedView extends RowOf<typeof views> {}

const { all } = views
// Views that a user may see. $2: the user, or null.
const visible = 'org_id = $1 and (is_shared or owner_user_id = $2)'

export const viewsById = shortRead('saved_views_by_id', `select ${all.sql} from saved_views where ${visible} and id = any($3::uuid[])`, all)
export const lockView = statement('saved_view_lock', `select ${all.sql} from saved_views where ${visible} and id = $3 for update`, all)

const select = (direction: 'asc' | 'desc') =>
  shortRead(
    `saved_views_${direction}`,
    `select ${all.sql} from saved_views where ${visible} and ($3::text is null or noun = $3)
       and ($5::int is null or (position, id) ${direction === 'asc' ? '>' : '<'} ($5, $6::uuid))
     order by position ${direction}, id ${direction} limit $4`,
    all,
  )
/** $3 the noun or null, $4 the page's size, then the cursor's position. */
export const selectViews = { asc: select('asc'), desc: select('desc') }
export const countViews = statement(
  'saved_views_total',
  `select count(*) as total from saved_views where ${visible} and ($3::text is null or noun = $3)`,
  rows({ total: bigint }),
)

/** Serializes the organization's changes of views, so that each kind has one default, and new views get different positions. */
export const lockViews = statement('saved_views_lock', `select from pg_advisory_xact_lock(hashtextextended('saved views of ' || $1, 0))`)
/** The default view. $2 noun, $3 whether among the shared views, $4 the owner if not. */
export const defaultView = statement(
  'saved_view_default',
  `select ${all.sql} from saved_views where org_id = $1 and noun = $2 and is_default and is_shared = $3 and ($3 or owner_user_id = $4)`,
  all,
)
export const lastPosition = statement(
  'saved_views_last',
  'select coalesce(max(position), 0) as position from saved_views where org_id = $1 and noun = $2',
  rows({ position: integer }),
)
