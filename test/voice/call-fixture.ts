// An organization with a key and an agent, ready to call.

import { expect } from 'vitest'
import type { Json, TestApp } from '../support/app.ts'

export const calls = '/api/voice/v1/calls'
export const agents = '/api/voice/v1/agents'
export const number = '+442079460958'

export interface CallFixture {
  key: string
  orgId: string
  userId: string
  agent: Json
  /** Places a call and answers with its body; fails the test unless it is 201. */
  call(fields?: object): Promise<Json>
  read(id: string): Promise<Json>
}

/** `isActive`: waits until calls can be placed. Not for an agent that its provider does not get. */
export async function givenCallFixture(
  app: Pick<TestApp, 'rest' | 'given'>,
  fields: object = {},
  { isActive = true } = {},
): Promise<CallFixture> {
  const { key, orgId, userId } = await app.given.apiKey()
  const { body: agent, status } = await app.rest('POST', agents, { key, body: { name: 'Appointment desk', ...fields } })
  if (status !== 201) throw new Error(`the agent was answered ${status}: ${JSON.stringify(agent)}`)
  // On a busy machine provisioning takes longer than VOICE_DISPATCH_WAIT_MS, and no call can be placed before.
  const statusNow = async () => (await app.rest('GET', `${agents}/${agent.id}`, { key })).body.status
  if (isActive && agent.status === 'provisioning') await expect.poll(statusNow, { timeout: 10_000 }).toBe('active')
  return {
    key,
    orgId,
    userId,
    agent,
    async call(more = {}) {
      const { body, status } = await app.rest('POST', calls, { key, body: { agent_id: agent.id, to_number: number, ...more } })
      if (status !== 201) throw new Error(`the call was answered ${status}: ${JSON.stringify(body)}`)
      return body
    },
    read: async id => (await app.rest('GET', `${calls}/${id}`, { key })).body,
  }
}
