// Values and names of fields as people read them.

/** A value of any field: nothing for what is empty, several joined, yes or no. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `companyName` as "Company name", `custom.shoe_size` as "Shoe size". */
export function fieldLabel(field: string): string {
  const text = field
    .replace(/^custom\./, '')
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_match, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  if (text === 'email') return 'E-mail'
  return (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\burl$/i, 'address')
}

const percents = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

/** 0.87 as "87 %". */
export const percent = (share: number): string => percents.format(share)

export const counted = (count: number, [one, several]: readonly [string, string]): string =>
  `${count.toLocaleString()} ${count === 1 ? one : several}`
