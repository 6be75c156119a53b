// Text from outside is cut between characters: an error, a summary or an evidence never ends in half of one.

import { describe, expect, test } from 'vitest'
import { readPage } from '../../src/enrichment/providers/page-facts.ts'
import { readForAny } from '../../src/enrichment/targets/field.ts'
import { cutText, shorten } from '../../src/kernel/input/cut.ts'
import { storableText } from '../../src/kernel/input/storable.ts'
import { openApp } from '../support/app.ts'

const family = '👩‍👩‍👧'
// Ends inside of the family at every limit from 1 to 8 units behind the letters.
const text = (length: number) => `${'a'.repeat(length)}${family}b`

describe('a text is cut', () => {
  test.each([1, 2, 3, 4, 5, 6, 7])('before a family emoji with room for only %i of its units', units => {
    expect(cutText(text(100), 100 + units)).toBe('a'.repeat(100))
    expect(shorten(text(100), 101 + units)).toBe(`${'a'.repeat(100)}…`)
  })

  test('behind what fits, and not at all if all of it does', () => {
    expect(cutText(text(100), 108)).toBe('a'.repeat(100) + family)
    expect(cutText(text(100), 109)).toBe(text(100))
    expect(cutText(text(0), 3)).toBe('👩')
    expect(cutText('', 0)).toBe('')
  })

  test('between code points where one character is larger than anybody writes', () => {
    const zalgo = `e${'\u0301'.repeat(300)}`
    expect(cutText(zalgo, 200)).toBe(zalgo.slice(0, 200))
    expect(cutText('😀', 1)).toBe('')
  })
})

describe('what comes from outside ends in a whole character', async () => {
  const app = await openApp()
  const half = /\\ud83d(?!\\udc|\\ude)|\ufffd|\u200d["…]/i

  test('in errors of GraphQL and REST that repeat it', async () => {
    const { key } = await app.given.apiKey()
    const answers = [
      await app.graphql('query A { health { status } }', {}, { key, operationName: text(98) } as never),
      await app.rest('GET', `/api/crm/v1/contacts/${encodeURIComponent(text(98))}`, { key }),
      await app.rest('GET', `/api/crm/v1/contacts?first_name=${encodeURIComponent(text(998))}`, { key }),
      await app.rest('POST', '/api/webhooks/v1/endpoints', {
        key,
        body: { url: 'https://example.com', filter: [{ field: text(98) }] },
      }),
    ]

    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(half)
  })

  test('in stored texts of providers and pages', () => {
    expect(storableText(text(98), { maxLength: 99 })).toBe('a'.repeat(98))
    expect(readForAny('notes', text(1999))?.value).toBe('a'.repeat(1999))
    expect(readPage(`<title>${text(999)}</title><p>${text(19_999)}`)).toMatchObject({
      title: 'a'.repeat(999),
      text: 'a'.repeat(19_999),
    })
  })
})
