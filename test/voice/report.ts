// Sends a report as an agent's own server would: in our format, signed with the agent's secret.

import { randomUUID } from 'node:crypto'
import { signatureHeaders } from '../../src/voice/providers/signed-message.ts'
import type { Answer, TestApp } from '../support/app.ts'
import type { CallFixture } from './call-fixture.ts'

export async function secretOf(app: TestApp, { key, agent }: CallFixture): Promise<string> {
  const { body } = await app.rest('POST', `/api/voice/v1/agents/${agent.id}/signing-secret`, { key })
  return body.secrets[0]
}

export interface Reporting {
  id?: string
  provider?: string
  at?: Date
  headers?: Record<string, string>
}

export async function report(app: TestApp, secret: string, content: object | string, reporting: Reporting = {}): Promise<Answer> {
  const { id = randomUUID(), provider = 'simulator', at = new Date(), headers = {} } = reporting
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  return app.rest('POST', `/api/voice/v1/providers/${provider}/events`, {
    body,
    headers: { ...signatureHeaders([secret], id, body, at), ...headers },
  })
}
