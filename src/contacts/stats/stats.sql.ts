// The statements that read the counters of contacts, and count companies.

import { statement, unseen } from '../../database/statement.ts'
import { bigint, date, rows } from '../../database/table.ts'
import { type LifecycleStage, lifecycleStages } from '../contact/row.ts'
import { type ContactSource, contactSources } from '../records/source.ts'

// Object.fromEntries does not keep the key type; the keys are exactly the prefixed names.
const counts = <Prefix extends string, Name extends string>(prefix: Prefix, names: readonly Name[]) =>
  Object.fromEntries(names.map(name => [`${prefix}_${name}`, bigint])) as Record<`${Prefix}_${Name}`, typeof bigint>

/** Counts of live contacts; `new` counts those created in the window. */
const counted = rows({
  new: bigint,
  total: bigint,
  with_email: bigint,
  with_phone: bigint,
  do_not_call: bigint,
  ...counts<'stage', LifecycleStage>('stage', lifecycleStages.values),
  ...counts<'source', ContactSource>('source', contactSources.values),
})
const sums = counted.described.slice(1).map(({ name }) => `coalesce(sum(${name}) filter (where day = '-infinity'), 0)::bigint as ${name}`)

/** $1 organization, $2 and $3 the first and last day of the window. */
export const selectCounts = statement(
  'contact_counts',
  `select coalesce(sum(total) filter (where day <> '-infinity'), 0)::bigint as new, ${sums} from contact_counts
   where org_id = ${unseen('$1::uuid')} and (day = '-infinity' or day between $2 and $3)`,
  counted,
)

/** $1 organization, $2 and $3 the first and last day of the window. */
export const countCompanies = statement(
  'company_counts',
  `select count(*) as total, count(*) filter (where created_at >= $2::date and created_at < $3::date + 1) as new,
     count(domain) as with_domain from companies where org_id = $1 and deleted_at is null`,
  rows({ total: bigint, new: bigint, withDomain: bigint }),
)

export const selectDays = statement(
  'contact_counts_by_day',
  `select days.day::date as day, coalesce(sum(total), 0)::bigint as new
   from generate_series($2::date, $3::date, '1 day') as days (day)
   left join contact_counts counts on counts.org_id = ${unseen('$1::uuid')} and counts.day = days.day::date
   group by 1 order by 1`,
  rows({ day: date, new: bigint }),
)
