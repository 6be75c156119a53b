// What is in .docker: that it parses, and agrees with the server about settings, probes, flags and the time of a stop.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { settings } from '../../src/config/settings.ts'
import { startApp } from '../support/app.ts'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, '.docker', name), 'utf8')

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) })
const container = z.object({
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  args: z.array(z.string()).default([]),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  securityContext: z.object({ readOnlyRootFilesystem: z.literal(true), allowPrivilegeEscalation: z.literal(false) }),
})
const pod = z.object({
  terminationGracePeriodSeconds: z.number().optional(),
  securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.literal(1000) }),
  containers: z.tuple([container]),
})
const manifest = z.object({ kind: z.string(), spec: z.object({ template: z.object({ spec: pod }).optional() }) })
const service = z.object({
  image: z.string(),
  read_only: z.boolean().optional(),
  stop_grace_period: z.string().optional(),
  environment: z.record(z.string(), z.string()),
})
const compose = z.object({ services: z.record(z.string(), service) })

const pods = parseAllDocuments(read('kubernetes.yaml')).flatMap(document => {
  expect(document.errors).toEqual([])
  return manifest.parse(document.toJS()).spec.template?.spec ?? []
})
const services = Object.values(compose.parse(parse(read('compose.yaml'), { merge: true })).services).filter(
  ({ image }) => image === 'rolocom',
)
const file = read('Dockerfile')
const unit = read('rolocom.service')

test('every setting that is named exists', () => {
  const inUnit = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, list = '']) => list.split(' ').map(one => one.split('=')[0]))
  const inImage = [...file.matchAll(/^ENV (.*)$/gm)].flatMap(([, list = '']) => list.split(' ').map(one => one.split('=')[0]))
  const inSecret = [...read('kubernetes.yaml').matchAll(/--from-literal=(\w+)/g)].map(([, name]) => name)
  const inPods = pods.flatMap(({ containers: [{ env }] }) => env.map(({ name }) => name))
  const inServices = services.flatMap(({ environment }) => Object.keys(environment))
  const named = [inUnit, inImage, inSecret, inPods, inServices]

  expect(named.map(names => names.length > 0)).toEqual(named.map(() => true))
  expect(named.flat().filter(name => !Object.hasOwn(settings, name ?? ''))).toEqual([])
})

test('probes ask addresses that answer', async () => {
  const app = await startApp()
  const probes = pods.flatMap(({ containers: [one] }) =>
    [one.startupProbe, one.readinessProbe, one.livenessProbe].flatMap(found => found ?? []),
  )
  const [, healthcheck = ''] = /HEALTHCHECK .*?(\/\w+)`/.exec(file) ?? []
  const paths = new Set([healthcheck, ...probes.map(({ httpGet }) => httpGet.path)])

  const answers = await Promise.all([...paths].map(async path => [path, (await app.rest('GET', path)).status]))
  await app.close()

  expect(answers.toSorted()).toEqual([
    ['/healthz', 200],
    ['/readyz', 200],
  ])
})

// The time that a process has after it has drained (src/cli/operator/serve.ts).
const endSeconds = 10
const drained = (value = '5') => Number(value) + endSeconds

test('what stops the server waits until it has drained and ended', () => {
  for (const { terminationGracePeriodSeconds, containers } of pods) {
    const [{ env, args }] = containers
    if (args.includes('migrate')) continue
    const seconds = drained(env.find(({ name }) => name === 'DRAIN_SECONDS')?.value)
    expect(terminationGracePeriodSeconds).toBeGreaterThan(seconds)
  }
  for (const { stop_grace_period, environment } of services)
    expect(Number.parseFloat(stop_grace_period ?? '0')).toBeGreaterThan(drained(environment.DRAIN_SECONDS))
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(drained())
})

test('the image runs as an ordinary user on a read-only root, with the flags of npm start', () => {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const [, flags = ''] = /exec node (.*) src\/entry\.js/.exec(scripts.start) ?? []
  const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(file) ?? []

  expect(JSON.parse(entry)).toEqual(['node', ...flags.split(' '), 'node_modules/rolocom/dist/server/main.js'])
  expect(/^USER (\S+)$/m.exec(file)?.[1]).toBe('1000:1000')
  expect(services.map(({ read_only }) => read_only)).toEqual([true, true, true])
})
