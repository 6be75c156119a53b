// Lists of texts in one cell of a file: tags, and options of a custom field. Pure.

import { parseJson } from '../../kernel/input/json-text.ts'
import { isPlaceholder } from '../imports/cells/cell.ts'

/**
 * Joins the texts with semicolons. A text that would be read as several, or as another, stands in quotes, with quotes in it doubled:
 * `vip;"Bonn, old town"`.
 */
export const joinList = (texts: readonly string[]): string =>
  texts
    .map(text => (/[;,"|\n；，、؛،]|:::|^\s|\s$|^\[.*\]$/.test(text) || isPlaceholder(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(';')

// The first that a text has outside of quotes. Google's contacts have the second one.
const separators = [';', ' ::: ', '；', '؛', '\n', '|', ',', '，', '、', '،'] as const

/**
 * The inverse. Without quotes, the texts are separated by semicolons if there are any, and otherwise by the first of the other separators. A
 * list may be written in JSON. Blank texts are left out.
 */
export function listOf(cell: string): string[] {
  const list = listOfJson(cell)
  if (list) return list
  const parts = cell.split(/("(?:[^"]|"")*")/)
  const outside = parts.filter((_part, index) => index % 2 === 0).join('')
  const separator = separators.find(one => outside.includes(one)) ?? ','
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
  return texts.map(text => text.trim()).filter(Boolean)
}

function listOfJson(cell: string): string[] | null {
  if (!/^\[\s*(["']).*\1\s*\]$/s.test(cell)) return null
  try {
    // Python writes its lists with apostrophes.
    const list: unknown = parseJson(cell.includes('"') ? cell : cell.replaceAll("'", '"'))
    return Array.isArray(list) && list.every(text => typeof text === 'string') ? list.map(text => text.trim()).filter(Boolean) : null
  } catch {
    return null
  }
}

// Quotes enclose a whole text: `6" pipe` is not quoted.
const isAlone = (parts: readonly string[], index: number, separator: string) => {
  const last = (parts[index - 1] ?? '').split(separator).at(-1) ?? ''
  const next = (parts[index + 1] ?? '').split(separator)[0] ?? ''
  return last.trim() === '' && next.trim() === ''
}
