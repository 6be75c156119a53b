// What declares itself: events and nouns, and nothing is recorded that did not.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import '../../src/graphql/schema/root.ts'
import { allEvents, eventsOf, hasEvents } from '../../src/kernel/nouns/events.ts'
import { allNouns, isToldType } from '../../src/kernel/nouns/nouns.ts'
import { objectDocument } from '../../src/rest/routes/webhooks/objects.ts'
import { records } from '../support/nouns.ts'

test('nothing is declared after the root of the schema has loaded', () => {
  expect(() => eventsOf('label', { created: 'A label was made.' })).toThrow(
    'The event label.created is declared too late: nothing that the root of the schema imports loads its file',
  )
})

test('rules and statements name the types of events by what `eventsOf` returns, so none is recorded that was not declared', () => {
  const types = new Set<string>(allEvents().map(({ type }) => type))
  const nouns = new Set(allEvents().map(({ entity }) => entity))
  const recording = globSync('src/**/*.ts', { exclude: ['src/generated/**', 'src/client/**', 'src/web/**', 'src/cli/**'] }).filter(file =>
    /\b(recordEvents?|event(Row|Values|Record)|insert into events)\b/.test(readFileSync(file, 'utf8')),
  )
  const spelled = recording.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/'([a-z_]+)\.(\w+)'|`([a-z_]+)\.\$\{/g)].flatMap(([text, noun = '', name = '', prefix = '']) =>
      types.has(`${noun}.${name}`) || nouns.has(prefix) ? [`${file}: ${text}`] : [],
    ),
  )
  expect(spelled).toEqual([])
  expect(recording.length).toBeGreaterThan(50)
})

test('every noun with events says who may read it; only sign-ins are told to nobody', () => {
  const untold = allEvents().filter(({ type }) => !isToldType(type))
  expect(new Set(untold.map(({ entity }) => entity))).toEqual(new Set(['session']))
})

test('webhooks have an object for every noun that has events and a type, but for these', () => {
  const nouns = allNouns().filter(({ name, typename }) => typename !== null && hasEvents(name))
  expect(nouns.filter(({ name }) => !objectDocument(name)).map(({ name }) => name)).toEqual([
    ...['archive', ...records.map(({ id }) => `${id}_bulk_change`), 'user'].toSorted(),
  ])
})

test('stored documents of webhooks are named after types of nouns', () => {
  const typenames = new Set(allNouns().map(({ typename }) => typename))
  const files = globSync('schema/operations/{rest,webhooks}/*.graphql').map(file => readFileSync(file, 'utf8'))
  // Documents of endpoints have other variables.
  const documents = files.flatMap(text => [...text.matchAll(/^query Webhook(\w+)\(\$id: ID!\)/gm)])
  expect(documents.map(([, typename = '']) => typename).filter(typename => !typenames.has(typename))).toEqual([])
  expect(documents.length).toBeGreaterThan(10)
})
