// Templates of mappings: text with {{paths}} into the request. Paths read own properties, and nothing else: there is no code in them.

/** What a template may read. */
export interface TemplateScope {
  /** The hook's name, as in /hooks/<path>. */
  path: string
  now: string
  headers: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  payload: unknown
  /** The element in question, where the mapping has `forEach`. */
  item?: unknown
  index?: number
}

export type Path = readonly (string | number)[]
export type Template = (scope: TemplateScope) => string

const placeholder = /\{\{([^{}]*)\}\}/g
const step = /(?:^|(?!^)\.)([^.[\]{}"'\s|()#/]+)|\[(\d{1,9})\]|\["([^"\]]+)"\]/y

/** Reads a path such as `messages[0].from`; null when it is none. */
export function parsePath(text: string): Path | null {
  const path: (string | number)[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const found = step.exec(text)
    if (!found) return null
    path.push(found[2] === undefined ? (found[1] ?? found[3] ?? '') : Number(found[2]))
  }
  return path.length > 0 ? path : null
}

/** The value at the path, undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let current = value
  for (const name of path) {
    if (current === null || typeof current !== 'object') return undefined
    // Of a list only its elements count: `length` is nobody's field.
    if (Array.isArray(current) && !/^\d+$/.test(String(name))) return undefined
    if (!Object.hasOwn(current, name)) return undefined
    current = (current as Record<string | number, unknown>)[name]
  }
  return current
}

/** The paths that a template reads; null for a placeholder that is no path. */
export const pathsIn = (text: string): (Path | null)[] => [...text.matchAll(placeholder)].map(found => parsePath((found[1] ?? '').trim()))

/** Makes a template ready. Throws a sentence about the first placeholder that is no path. */
export function compileTemplate(text: string): Template {
  const parts: (string | ((scope: TemplateScope) => unknown))[] = []
  let end = 0
  for (const found of text.matchAll(placeholder)) {
    parts.push(text.slice(end, found.index), reader(found[1] ?? '', found[0]))
    end = found.index + found[0].length
  }
  parts.push(text.slice(end))
  return scope => parts.map(part => (typeof part === 'string' ? part : textOf(part(scope)))).join('')
}

function reader(text: string, whole: string): (scope: TemplateScope) => unknown {
  const path = parsePath(text.trim())
  if (!path) throw new Error(`${whole} is no path like {{a.b[0].c}}`)
  const [first, ...rest] = path
  switch (first) {
    case 'path':
    case 'now':
      // The payload's own field of that name is {{payload.path}}.
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

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
