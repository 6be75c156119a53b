// The HTTP server: its requests and responses have the prototypes that Express would give them.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { createHttpServer } from '../../src/server/listen.ts'

test('requests and responses have their prototypes before the application, and keep them', async () => {
  const app = express()
  const server = createHttpServer(app)
  const prototypes: unknown[][] = []
  const note = (...messages: object[]) => prototypes.push(messages.map(message => Object.getPrototypeOf(message)))
  app.use((req, res) => {
    note(req, res)
    res.json({ query: req.query, isItsApp: req.app === app && res.app === app })
  })
  server.on('request', (req, res) => {
    note(req, res)
    app(req, res)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?name=Ada`)

  expect(await answer.json()).toEqual({ query: { name: 'Ada' }, isItsApp: true })
  const [before, inside] = prototypes
  expect(before?.map((prototype, index) => prototype === inside?.[index])).toEqual([true, true])
  server.closeAllConnections()
  server.close()
})
