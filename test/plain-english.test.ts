// Plain English: comments, descriptions and messages avoid the patterns that a stranger has to read twice. Each failure names the file, the
// sentence and what to write instead.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const patterns: readonly [pattern: RegExp, advice: string][] = [
  [/^(What|Who|Whom|Whose|Whoever|Whatever)\b(?!.*\?)/, 'begin with the noun: "Role of a member.", not "What somebody is."'],
  [/\b(that|those) of\b/i, 'repeat the noun: "the id of the run", not "that of the run"'],
  [/\bof (which|whom|those|what|whose)\b/i, 'make two sentences, or name the noun'],
  [/\bwhat (is|was|are|were|has|had)\b(?!.*\?)/i, 'write the noun: "the remaining credits", not "what is left"'],
  [/\bwhat (it|they) (is|are|was|were) (about|for)\b/i, 'write the noun: "its subject", "its purpose"'],
  [/\bby now\b/i, 'write "now" or "already"'],
  [/\bas (it|they|he|she) left (it|them)\b/i, 'write the state: "unchanged"'],
  [/\bwhich none\b/i, 'write "no"'],
  [/\b(anew|afresh|thereby|thereof|whoever|lest)\b/i, 'write the common word: "again", "so", "anyone who"'],
]

// A pattern is sought in whole sentences, whose code spans do not count.
const sentences = (text: string): string[] =>
  text
    .replace(/`[^`\n]*`/g, 'X')
    .split(/(?:\r?\n[ \t]*){2,}|(?<=[.!?])\s+|(?<=[:;])\s+(?=[A-Z])/)
    .map(sentence => sentence.replace(/\s+/g, ' ').trim())
    .filter(sentence => sentence.includes(' '))

const findings = (text: string): string[] =>
  sentences(text).flatMap(sentence =>
    patterns.filter(([pattern]) => pattern.test(sentence)).map(([, advice]) => `${sentence.slice(0, 160)} (${advice})`),
  )

// Consecutive lines of `//` are one text, as is a block.
const comments = (text: string) =>
  [...text.matchAll(/(?:^[ \t]*\/\/.*\n)+|\/\*[\s\S]*?\*\/|(?<=[\s;{(,])\/\/ .*/gm)].map(([found]) =>
    found.replace(/^[ \t]*(\/\/|\/\*\*?|\*\/|\*)[ \t]?/gm, '').replace(/\*\/$/, ''),
  )
// Texts with a capital and a space, in any kind of quotes.
const messages = (text: string) =>
  [...text.replace(/^[ \t]*(\/\/|\*|\/\*).*$/gm, '').matchAll(/(['"`])([A-Z](?:\\.|(?!\1)[^\\\n])* (?:\\.|(?!\1)[^\\\n])*)\1/g)].map(
    match => match[2] ?? '',
  )

// The web app, whose texts were not rewritten yet, and generated files.
const unwritten = /^src\/web\/|\/generated\//

test('comments, descriptions and messages are plain English', () => {
  const found = globSync('src/**/*.{ts,tsx}')
    .filter(file => !unwritten.test(file))
    .flatMap(file => {
      const text = readFileSync(file, 'utf8')
      return [...comments(text), ...messages(text)].flatMap(findings).map(finding => `${file}: ${finding}`)
    })

  expect(found).toEqual([])
})

test.each([
  '// What somebody is in an organization.\n',
  "description: 'The id, or that of the run.'",
  '/** The organization whose operation ended last, of those of which none waits. */',
  "error('The record has another value by now')",
])('finds %s', text => {
  expect([...comments(text), ...messages(text)].flatMap(findings)).not.toEqual([])
})

test('a question may begin with what', () => {
  expect(findings('What is a wake?')).toEqual([])
})
