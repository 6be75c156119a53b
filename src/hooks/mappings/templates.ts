// Templates of mappings, and the parts of a request that their paths can read.

import { parseTemplate, type TemplatePart, textToInsert, valueAt } from '../../kernel/input/templates.ts'

/** The values that a template can read. */
export interface TemplateScope {
  /** The hook's name, as in /hooks/<path>. */
  path: string
  now: string
  headers: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  payload: unknown
  /** The current element, if the mapping has `forEach`. */
  item?: unknown
  index?: number
}

export type Template = (scope: TemplateScope) => string

/** Parses a template. Throws a sentence about the first placeholder that is not a path. */
export function compileTemplate(template: string): Template {
  const parts = parseTemplate(template).map(part => (typeof part === 'string' ? part : reader(part)))
  return scope => parts.map(part => (typeof part === 'string' ? part : textToInsert(part(scope)))).join('')
}

function reader({ text, path }: Exclude<TemplatePart, string>): (scope: TemplateScope) => unknown {
  if (!path) throw new Error(`${text} is no path like {{a.b[0].c}}`)
  const [first, ...rest] = path
  switch (first) {
    case 'path':
    case 'now':
      // A field of the payload with the same name is {{payload.path}}.
      if (rest.length === 0) return scope => scope[first]
      break
    case 'headers':
      return scope => valueAt(scope.headers, typeof rest[0] === 'string' ? [rest[0].toLowerCase(), ...rest.slice(1)] : rest)
    case 'query':
      return scope => valueAt(scope.query, rest)
    case 'payload':
      return scope => valueAt(scope.payload, rest)
    case 'item':
    case 'index':
      return scope => (scope.index === undefined ? valueAt(scope.payload, path) : valueAt({ item: scope.item, index: scope.index }, path))
  }
  return scope => valueAt(scope.payload, path)
}
