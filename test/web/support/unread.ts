// Texts that no salesperson should have to read: names of the contract, patterns, ids, times of computers, and JSON.

import type { Page } from 'playwright-core'
import * as enums from '../../../src/web/generated/schema.ts'

const values = new Set(
  Object.values(enums)
    .flatMap(all => [...all])
    .filter(value => value.length > 3),
)

const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['a regular expression', /\\[dwsbpDWS]|\(\?[:=!<]|\[\^|\[a-z|\[A-Z|\[0-9|\\\d|\{\d+,\d*\}|\]\+|\.\*/],
  ['snake_case', /(?<![\w@./-])[a-z][a-z\d]*(?:_[a-z\d]+)+(?![\w@./-])/],
  ['camelCase', /(?<![\w@./-])[a-z][a-z\d]+[A-Z]\w*/],
  ['SCREAMING_CASE', /(?<![\w@./-])[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?![\w@./-])/],
  ['a time of a computer', /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/],
  ['a UUID', /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i],
  ['JSON', /\{\s*"|\[\s*[{"]|":\s*["{[\d]|\[object \w+\]/],
  ['a value of a program', /(?<![\w-])(?:undefined|NaN|Infinity)(?![\w-])/],
]

/** Names that are written so. */
const properNames = /\b(?:iMessage|iPhone|iPad|eBay|macOS|iOS)\b/g

/** What is wrong with a text; null for a text for people. */
export function problemOf(text: string): string | null {
  const rest = text.replaceAll(properNames, '')
  const found = kinds.find(([, pattern]) => pattern.test(rest))
  if (found) return found[0]
  const value = rest.match(/(?<![\w@./-])[A-Z]{4,}(?![\w@./-])/g)?.find(word => values.has(word as never))
  return value ? `the value ${value}` : null
}

/**
 * The texts of the page that people see or hear, with the element of each: what is shown, and names, titles and placeholders. Parts with
 * `data-for-developers` are left out.
 */
export const textsOf = (page: Page): Promise<{ text: string; place: string }[]> =>
  page.evaluate(() => {
    const found: { text: string; place: string }[] = []
    const isLeftOut = (element: Element) => element.closest('[data-for-developers], script, style, noscript, #first-paint') !== null
    const placeOf = (element: Element) => {
      const labelled = element.closest('[aria-label], [role], main, section, header')
      return [labelled?.getAttribute('aria-label') ?? labelled?.tagName.toLowerCase(), element.tagName.toLowerCase()]
        .filter(Boolean)
        .join(' > ')
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (isLeftOut(element) || !element.checkVisibility()) continue
      const own = [...element.childNodes].flatMap(node => (node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ''] : []))
      const names = ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext'].flatMap(
        name => element.getAttribute(name) ?? [],
      )
      for (const text of [own.join(''), ...names]) if (text.trim() !== '') found.push({ text: text.trim(), place: placeOf(element) })
    }
    return [{ text: document.title, place: 'title' }, ...found]
  })
