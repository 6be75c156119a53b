// Search parameters of the address as plain text. Several values repeat the name, so people can read and type the address.

export type RawSearch = Record<string, unknown>

export function parseSearch(text: string): RawSearch {
  const given = new URLSearchParams(text)
  const names = [...new Set(given.keys())]
  return Object.fromEntries(
    names.map(name => {
      const values = given.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

export function stringifySearch(search: RawSearch): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    const values = Array.isArray(value) ? value : [value]
    for (const one of values) if (one !== undefined && one !== null && one !== '') written.append(name, String(one))
  }
  const text = written.toString()
  return text === '' ? '' : `?${text}`
}
