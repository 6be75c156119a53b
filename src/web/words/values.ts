// Values and names of fields as texts for people.

/** The text of a field's value: empty for an empty value, several values joined, "Yes" or "No". */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns "Company name" for `companyName`, "Shoe size" for `custom.shoe_size`. */
export function fieldLabel(field: string): string {
  const text = field
    .replace(/^custom\./, '')
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_match, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  if (text === 'email') return 'E-mail'
  return (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\burl$/i, 'address')
}

const percents = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

/** Returns "87 %" for 0.87. */
export const percent = (share: number): string => percents.format(share)

export const countText = (count: number, [one, several]: readonly [string, string]): string =>
  `${count.toLocaleString()} ${count === 1 ? one : several}`
