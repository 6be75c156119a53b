// Imports of several files: the first file names the import, the others are parts of it. They are imported one after the other, companies before
// their contacts, and those before their deals, so that each finds what it links to.

import type { Context } from '../../../kernel/context.ts'
import { organizationOf } from '../../../kernel/context.ts'
import type { Batch } from '../../../kernel/dataloaders.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { ContactImport } from '../import.sql.ts'
import { type ImportNoun, placeOf } from '../nouns/fields.ts'
import { filesOfImports } from './parts.sql.ts'

/** As many as a system has files. */
export const maxFiles = 10

/** The id of the first file of an import. */
export const firstOf = ({ id, partOf }: Pick<ContactImport, 'id' | 'partOf'>): string => partOf ?? id

/** In the order of their import. */
const inOrderOfImport = (files: readonly ContactImport[]): ContactImport[] =>
  files.toSorted((one, other) => placeOf(one.noun) - placeOf(other.noun))

/** The files of the imports with these first files, in the order of their import. */
export const loadFiles: Batch<string, ContactImport[]> = async (context, ids) => {
  const found = await context.db.query(filesOfImports, [organizationOf(context), ids])
  const byFirst = Map.groupBy(found, firstOf)
  return ids.map(id => inOrderOfImport(byFirst.get(id) ?? []))
}

/** The same in a transaction, as they are now. */
export const filesOf = async ({ db }: Context, row: ContactImport): Promise<ContactImport[]> =>
  inOrderOfImport(await db.query(filesOfImports, [row.orgId, [firstOf(row)]]))

/** The nouns of the other files of an import that goes on. */
export async function nounsBeside(context: Context, row: ContactImport): Promise<ReadonlySet<ImportNoun>> {
  const files = await filesOf(context, row)
  return new Set(files.filter(({ id }) => id !== row.id).map(({ noun }) => noun))
}

/** Throws CONFLICT for an import that is started, or has as many files as it may. */
export async function checkRoom(context: Context, first: ContactImport): Promise<void> {
  if (first.status !== 'waiting') throw new AppError('CONFLICT', `The import is ${first.status}; add files to one that is not started`)
  if ((await filesOf(context, first)).length >= maxFiles)
    throw new AppError('CONFLICT', `An import has at most ${maxFiles} files; start it, and then import the others`)
}
