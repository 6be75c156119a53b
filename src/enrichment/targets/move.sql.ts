// The statements that move jobs and suggestions to another contact.

import { statement } from '../../database/statement.ts'
import { rows, uuid } from '../../database/table.ts'

const id = rows({ id: uuid })
const moved = 'org_id = $1 and contact_id = $2 and ($4::uuid[] is null or id = any($4::uuid[])) returning id'

/** $1 organization, $2 and $3 the contacts, $4 the jobs, or null for all. */
export const moveJobs = statement('jobs_move', `update enrichment_jobs set contact_id = $3 where ${moved}`, id)
export const moveSuggestions = statement('suggestions_move', `update suggestions set contact_id = $3 where ${moved}`, id)
