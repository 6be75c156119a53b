// Templates `{{a.b[0].c}}` and paths `a.b[0].c` in recipes: they read own properties, and nothing else.

/** What stands at a path, undefined where there is nothing. */
export function valueAt(root: unknown, path: string): unknown {
  let at: unknown = root
  for (const step of stepsOf(path)) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string, unknown>)[step]
  }
  return at
}

const stepsOf = (path: string) => path.split(/[.[\]]+/).filter(Boolean)

export const isPath = (text: string): boolean => /^[\w$-]+(?:\.[\w$-]+|\[\d+\])*$/.test(text)

const hole = /\{\{\s*([\w$.[\]-]+)\s*\}\}/g

/** The template filled once: what is filled in is not looked at again. Missing values are empty. */
export const filled = (template: string, values: unknown, spell: (text: string) => string = text => text): string =>
  template.replace(hole, (_, path: string) => {
    const value = valueAt(values, path)
    if (value === undefined || value === null) return ''
    return spell(typeof value === 'object' ? JSON.stringify(value) : String(value))
  })

/** The paths that a template names. */
export const pathsIn = (template: string): string[] => [...template.matchAll(hole)].map(([, path]) => path ?? '')
