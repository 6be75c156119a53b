// Lists of texts in one cell of a file: tags, and options of a custom field. Pure.

/**
 * Joins the texts with semicolons. A text that would be read as several, or as another, stands in quotes, with quotes in it doubled:
 * `vip;"Bonn, old town"`.
 */
export const joinedList = (texts: readonly string[]): string =>
  texts.map(text => (/[;,"]|:::|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(';')

/**
 * The inverse. Without quotes, the texts are separated by semicolons if there are any, by ` ::: ` as Google's are, or by commas. Blank texts
 * are left out.
 */
export function listOf(cell: string): string[] {
  const parts = cell.split(/("(?:[^"]|"")*")/)
  const outside = parts.filter((_part, index) => index % 2 === 0).join('')
  const separator = outside.includes(';') ? ';' : outside.includes(' ::: ') ? ' ::: ' : ','
  const texts = ['']
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1 && isAlone(parts, index, separator)) texts[texts.length - 1] = part.slice(1, -1).replaceAll('""', '"')
    else if (index % 2 === 1) texts[texts.length - 1] += part
    else {
      const [first = '', ...rest] = part.split(separator)
      if (first.trim() !== '') texts[texts.length - 1] += first
      texts.push(...rest)
    }
  }
  return texts.map(text => text.trim()).filter(text => text !== '')
}

// Quotes enclose a whole text: `6" pipe` is not quoted.
const isAlone = (parts: readonly string[], index: number, separator: string) => {
  const last = (parts[index - 1] ?? '').split(separator).at(-1) ?? ''
  const next = (parts[index + 1] ?? '').split(separator)[0] ?? ''
  return last.trim() === '' && next.trim() === ''
}
