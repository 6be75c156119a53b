// Each mutation declares what it does to what is there, what it costs, and how it is undone.

import { expect, test } from 'vitest'
import { effectOf } from '../../../src/graphql/schema/builder.ts'
import { schema } from '../../../src/graphql/schema/root.ts'

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})

test('each mutation declares its effect', () => {
  expect(mutations.filter(field => effectOf(field) === undefined).map(({ name }) => name)).toEqual([])
  expect(mutations.length).toBeGreaterThan(100)
})

test('what undoes a mutation is one too, by its name first', () => {
  const names = new Set(mutations.map(({ name }) => name))
  const undoing = mutations.flatMap(field => effectOf(field)?.undoneBy ?? [])
  expect(undoing.filter(sentence => !names.has(/^\w+/.exec(sentence)?.[0] ?? ''))).toEqual([])
  expect(undoing.length).toBeGreaterThan(0)
})

test('queries and subscriptions have none', () => {
  const others = [schema.getQueryType(), schema.getSubscriptionType()].flatMap(type => Object.values(type?.getFields() ?? {}))
  expect(others.filter(field => effectOf(field) !== undefined)).toEqual([])
})
