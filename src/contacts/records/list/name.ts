// The name of a list with its sort and filter, for which alone a cursor is valid.

import type { Kind } from './kind.ts'
import type { Found } from './pages.sql.ts'

const names: Readonly<Record<Kind, string>> = { live: '', deleted: ' that are deleted', all: ' with deleted' }

export const nameOf = (list: string, sort: string, { conditions, kind }: Found): string =>
  `${list} ${sort}${names[kind]}${conditions.map(({ name, value }) => `\n${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`).join('')}`
