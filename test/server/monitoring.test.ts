// The dashboard and the alert rules name metrics and states that /metrics has.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Json, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const read = (name: string) => readFile(new URL(`../../src/server/monitoring/${name}`, import.meta.url), 'utf8')

test('each expression of the dashboard and of the alerts is about metrics and states that exist', async () => {
  await app.rest('GET', '/api/crm/v1/contacts')
  const text = await app.services.metrics.text()
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]))
  const dashboard = JSON.parse(await read('dashboard.json'))
  const rules = parse(await read('alerts.yaml')).groups.flatMap((group: Json) => group.rules)
  const expressions: string[] = [
    ...dashboard.panels.flatMap((panel: Json) => panel.targets.map(({ expr }: Json) => expr)),
    ...rules.map(({ expr }: Json) => expr),
  ]

  const unknown = expressions.flatMap(expression =>
    [...expression.matchAll(/\b(?:rolocom|nodejs|process)_\w+/g)]
      .map(([name]) => name)
      .filter(name => !types.has(name) && types.get(name.replace(/_(bucket|count|sum)$/, '')) !== 'histogram'),
  )
  const states = expressions.flatMap(expression =>
    [...expression.matchAll(/(\w+)\{(state="\w+")\}/g)].map(([, name, state]) => `${name}{${state}}`),
  )

  expect(unknown).toEqual([])
  expect(states.filter(state => !text.includes(`\n${state} `))).toEqual([])
  expect(rules.every(({ alert, annotations, labels }: Json) => alert && annotations.summary && labels.severity)).toBe(true)
})

test('each metric of ours is explained, and is named by its kind and unit', async () => {
  const text = await app.services.metrics.text()
  const explained = new Set([...text.matchAll(/^# HELP (\S+) \S.*\.$/gm)].map(([, name]) => name))
  const metrics = [...text.matchAll(/^# TYPE (rolocom_\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => ({ name, kind }))
  const isNamed = ({ name, kind }: { name: string; kind: string }) =>
    /^[a-z]+(_[a-z]+)+$/.test(name) &&
    name.endsWith('_total') === (kind === 'counter') &&
    (kind !== 'histogram' || /_(seconds|bytes)$/.test(name))

  expect(metrics.filter(({ name }) => !explained.has(name))).toEqual([])
  expect(metrics.filter(metric => !isNamed(metric))).toEqual([])
  expect(metrics.length).toBeGreaterThan(8)
})
