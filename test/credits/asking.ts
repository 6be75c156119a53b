// Requests to the credit API with the service token. Every response is compared with the published contract.

import { conforming } from '../rest/conforming.ts'
import { type Answer, serviceToken, type TestApp } from '../support/app.ts'

export const asService = { 'x-svc-services-token': serviceToken }

export function asking(app: TestApp) {
  const rest = conforming(app)
  const context = app.asSystem(null)
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    rest('POST', path, { body, headers: { ...asService, ...headers } })

  return {
    rest,
    context,
    deduct: (body: unknown, headers?: Record<string, string>) => post('/api/credits/deduct', body, headers),
    grant: (body: unknown, headers?: Record<string, string>) => post('/api/credits/grant', body, headers),
    voidGrant: (id: string, body: unknown = {}) => post(`/api/credits/grants/${id}/void`, body),
    adjust: (body: unknown) => post('/api/credits/adjust', body),
    async balance(userId: string) {
      const { status, body } = await rest('GET', '/api/credits/balance', { headers: { ...asService, 'x-user-id': userId } })
      if (status !== 200) throw new Error(`the balance of ${userId} answered ${status}`)
      return body
    },
    async entries(userId: string, query = '') {
      const { body } = await rest('GET', `/api/credits/transactions${query}`, { headers: { ...asService, 'x-user-id': userId } })
      return body.data
    },
    /** A user who has exactly this much, from one paid grant. Start the app with CREDITS_NEW_USER_GRANT=0. */
    async userWith(amount: number): Promise<string> {
      const { userId } = await app.given.organization()
      if (amount > 0) await post('/api/credits/grant', { user_id: userId, amount, reference: 'given' })
      return userId
    },
  }
}
