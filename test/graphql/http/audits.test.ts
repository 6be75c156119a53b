// GraphQL over HTTP: all official audits of the specification, including those that are only recommended.

import { serverAudits } from 'graphql-http'
import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'

const app = await openApp()

const audits = serverAudits({ url: () => `${app.url}/graphql` })

describe('GraphQL over HTTP', () => {
  test('there are 61 audits', () => expect(audits).toHaveLength(61))

  for (const { id, name, fn } of audits)
    test(`${id} ${name}`, async () => {
      const result = await fn()

      expect(result).toMatchObject({ status: 'ok' })
    })
})
