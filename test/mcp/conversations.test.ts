// A model that tries a voice agent in writing, through /mcp.

import { expect, test } from 'vitest'
import { openApp } from '../support/app.ts'
import { givenCallFixture } from '../voice/call-fixture.ts'
import { call, connect } from './client.ts'

const app = await openApp()

test('an agent is talked to and left: each answer has the new turns, and the last one the result', async () => {
  const extraction = { job_title: { type: 'string', title: 'Job title' } }
  const { key, agent } = await givenCallFixture(app, { extraction, first_message: 'Hello, do you have a minute?' })
  const client = await connect(app, key)

  const begun = await call(client, 'start_conversation', { agentId: agent.id })
  const asked = await call(client, 'say_in_conversation', { id: begun.id, text: 'Yes', after: begun.turns.length })
  const ended = await call(client, 'end_conversation', { id: begun.id })
  const refused = await call(client, 'say_in_conversation', { id: begun.id, text: 'Wait' })

  expect(begun).toMatchObject({ status: 'active', turns: [{ seq: 1, role: 'agent', text: 'Hello, do you have a minute?' }] })
  expect(asked.turns).toMatchObject([
    { seq: 2, role: 'user', text: 'Yes', latencyMs: null },
    { seq: 3, role: 'agent', text: 'May I ask about this: Job title?', latencyMs: expect.any(Number) },
  ])
  expect(ended).toMatchObject({ status: 'ended', endedReason: 'user_hung_up', extracted: {} })
  expect(refused.error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('over') })
})
