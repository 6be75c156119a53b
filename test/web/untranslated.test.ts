// Texts of pages that stand in a component, not in src/web/language: they have no German.

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../../src/web')

// Names, which have no translation.
const allowed: Readonly<Record<string, number>> = {
  // The product's name.
  session: 1,
  // The name of a header.
  settings: 1,
}

const isText = (text: string) => /\p{L}{2}/u.test(text)

interface SyntaxNode {
  type: string
  value?: unknown
  name?: { name?: string }
}

/** All nodes of a syntax tree. */
function nodesIn(value: unknown): SyntaxNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  if (typeof value !== 'object' || value === null) return []
  const below = Object.values(value).flatMap(nodesIn)
  return 'type' in value ? [value as SyntaxNode, ...below] : below
}

/** The texts between tags, and those of attributes with several words or one that begins with a capital letter. */
function textsIn(source: string): string[] {
  return nodesIn(parseSync('file.tsx', source).program).flatMap(({ type, value, name }) => {
    if (type === 'JSXText' && typeof value === 'string') return isText(value) ? [value.trim()] : []
    // `rel` has several words, and is for browsers.
    const given = type === 'JSXAttribute' && name?.name !== 'rel' ? (value as SyntaxNode | null)?.value : null
    return typeof given === 'string' && /^\p{Lu}\p{Ll}|\p{L} \p{L}/u.test(given) ? [given] : []
  })
}

test('every text of the app stands in src/web/language, so it has German', () => {
  const counts: Record<string, number> = {}
  for (const file of globSync('**/*.tsx', { cwd: root })) {
    const [part = ''] = file.split(path.sep)
    const count = textsIn(readFileSync(path.join(root, file), 'utf8')).length
    if (count > 0) counts[part] = (counts[part] ?? 0) + count
  }

  expect(Object.entries(counts).filter(([part, count]) => count > (allowed[part] ?? 0))).toEqual([])
})

test('a text between tags and one in an attribute are found', () => {
  expect(textsIn('<A label="Save view" mt="xs" kind="card"> Delete it <B>{words.open}</B></A>')).toEqual(['Save view', 'Delete it'])
})
