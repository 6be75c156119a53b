// Templates: text with placeholders `{{a.b[0].c}}`. Paths read own properties and list elements; they contain no code.

/** The names and list indexes that lead to a value. */
export type Path = readonly (string | number)[]

/** Literal text, or a placeholder: its text with the braces, and its path, which is null when the content is not a path. */
export type TemplatePart = string | { text: string; path: Path | null }

const placeholder = /\{\{([^{}]*)\}\}/g
const step = /(?:^|(?!^)\.)([^.[\]{}"'\s|()#/]+)|\[(\d{1,9})\]|\["([^"\]]+)"\]/y

/** Parses a path such as `messages[0].from` or `headers["x.y"]`; null for any other text. */
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

/** The value at the path; undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let current = value
  for (const name of path) {
    if (current === null || typeof current !== 'object') return undefined
    // Of a list only the elements are readable, not its own property `length`.
    if (Array.isArray(current) && !/^\d+$/.test(String(name))) return undefined
    if (!Object.hasOwn(current, name)) return undefined
    current = (current as Record<string | number, unknown>)[name]
  }
  return current
}

export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let end = 0
  for (const found of template.matchAll(placeholder)) {
    parts.push(template.slice(end, found.index), { text: found[0], path: parsePath((found[1] ?? '').trim()) })
    end = found.index + found[0].length
  }
  parts.push(template.slice(end))
  return parts
}

/** The paths of a template's placeholders; null for a placeholder without a valid path. */
export const pathsIn = (template: string): (Path | null)[] =>
  parseTemplate(template).flatMap(part => (typeof part === 'string' ? [] : [part.path]))

/** The text that replaces a placeholder: JSON for objects and lists, an empty text for a missing value. */
export function textToInsert(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
