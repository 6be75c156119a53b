// The content of a database, for tests of what must change nothing.

import { query } from './database.ts'

/** Each table of ours and of the queue, with the number and a hash of its rows. Sequences are no content. */
export async function contentOf(url: string): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    url,
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_|^information_schema$' order by 1`,
  )
  const one = ({ name }: { name: string }) =>
    `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '') as content from ${name} t`
  const rows = await query<{ name: string; content: string }>(url, tables.map(one).join(' union all '))
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]))
}
