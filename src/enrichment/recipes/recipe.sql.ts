// The statement that stores recipes.

import { statement } from '../../database/statement.ts'
import { jsonb, rows, text } from '../../database/table.ts'

/**
 * $1 the recipes as JSON. The update changes nothing, but makes the statement return existing rows too. SQL, because every start runs it
 * and should not load Prisma's query compiler.
 */
export const storeRecipes = statement(
  'recipes_store',
  `insert into enrichment_recipes (name, version, definition)
   select name, version, definition from jsonb_populate_recordset(null::enrichment_recipes, $1) order by name
   on conflict (name, version) do update set version = excluded.version returning name, definition`,
  rows({ name: text, definition: jsonb }),
)
