// Plain English: comments, descriptions, messages, guides and names of tests avoid the patterns that a stranger has to read twice. Each failure
// names the file, the sentence and what to write instead.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { comments, findings, graphqlTexts, messages, prose, testNames } from './support/plain-english.ts'

// Generated files. This file has bad examples.
const unwritten = /\/generated\/|^test\/plain-english\.test\.ts$/

const kinds: [kind: string, patterns: string[], textsOf: ((text: string) => string[])[]][] = [
  ['comments and messages', ['src/**/*.{ts,tsx}'], [comments, messages]],
  ['guides', ['README.md', '.github/*.md', 'prisma/*.md', 'schema/*.md', 'src/**/*.md'], [prose]],
  ['descriptions and comments of GraphQL', ['schema/**/*.graphql'], [graphqlTexts]],
  ['names of tests', ['test/**/*.{ts,tsx}'], [testNames]],
]

test.each(kinds)('%s are plain English', (_kind, patterns, textsOf) => {
  const files = globSync(patterns).filter(file => !unwritten.test(file))
  const found = files.flatMap(file => {
    const text = readFileSync(file, 'utf8')
    return textsOf.flatMap(texts => texts(text).flatMap(findings)).map(finding => `${file}: ${finding}`)
  })

  expect(found).toEqual([])
  expect(files).not.toEqual([])
})

test.each([
  ['// What somebody is in an organization.\n', comments],
  ['/** The organization whose operation ended last, of those of which none waits. */', comments],
  ["description: 'The id, or that of the run.'", messages],
  ["error('The record has another value by now')", messages],
  ['# A heading\n\n| balance | what is left to spend |\n', prose],
  ['- A list item.\n- A key, or that\n  of its maker.\n', prose],
  ['# What agents may do.\nfragment Contact on Contact { id }\n', graphqlTexts],
  ['type Contact {\n  """\n  What it is about.\n  """\n  id: ID!\n}\n', graphqlTexts],
  ["test('what is not signed is refused', () => {})", testNames],
  ["test.each([atMost(1)])('%i of those of another key', () => {})", testNames],
  ["  'keeps what is typed': async ({ open }) => {},", testNames],
])('finds %s', (text, textsOf) => {
  expect(textsOf(text).flatMap(findings)).not.toEqual([])
})

test('a question may begin with what', () => {
  expect(findings('What is a wake?')).toEqual([])
})
