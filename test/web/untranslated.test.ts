// Texts of pages that stand in a component, not in src/web/language: they have no German. Their number may only fall.

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../../src/web')

// Lower a number when you have moved texts.
const allowed: Readonly<Record<string, number>> = {
  address: 2,
  agents: 21,
  app: 3,
  'call-verdict': 2,
  calls: 52,
  contact: 1,
  'contact-record': 7,
  contacts: 8,
  credits: 40,
  duplicates: 15,
  forms: 1,
  frame: 10,
  gateway: 59,
  home: 10,
  imports: 53,
  jobs: 15,
  keyboard: 1,
  palette: 2,
  pieces: 15,
  recipes: 6,
  session: 9,
  settings: 270,
  'sign-in': 30,
  suggestions: 35,
  table: 1,
  task: 2,
  welcome: 12,
}

const isText = (text: string) => /\p{L}{2}/u.test(text)

/** The texts between tags, and those of attributes with a sentence or a word that begins with a capital letter. */
function textsIn(source: string): string[] {
  const found: string[] = []
  const attribute = ({ value }: ESTree.JSXAttribute) => {
    if (value?.type === 'Literal' && typeof value.value === 'string' && /^\p{Lu}\p{Ll}|\p{L} \p{L}/u.test(value.value))
      found.push(value.value)
  }
  const { program } = parseSync('file.tsx', source)
  new Visitor({ JSXText: ({ value }) => void (isText(value) && found.push(value.trim())), JSXAttribute: attribute }).visit(program)
  return found
}

test('no part of the app has more texts without German than before', () => {
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
