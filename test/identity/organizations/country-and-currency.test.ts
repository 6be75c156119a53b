// The country and the currency of an organization.

import { expect, test } from 'vitest'
import { startApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'

const app = await keepOpen(startApp())

const currencyIn = async (session: string) =>
  (await app.graphql('{ organization { country currency } }', {}, { session })).body.data.organization
const set = (session: string, field: 'Country' | 'Currency', value: string | null) =>
  app.graphql(
    `mutation ($value: String) { organization: setOrganization${field}(input: { ${field.toLowerCase()}: $value }) { country currency } }`,
    { value },
    { session },
  )

test('an organization has the currency of its country until another one is set', async () => {
  const { session, orgId } = await app.given.session()
  expect(await currencyIn(session)).toEqual({ country: null, currency: null })

  await set(session, 'Country', 'ch')
  expect(await currencyIn(session)).toEqual({ country: 'CH', currency: 'CHF' })
  await set(session, 'Country', 'AT')
  expect(await currencyIn(session)).toEqual({ country: 'AT', currency: 'EUR' })

  const { body } = await set(session, 'Currency', ' usd ')
  expect(body.data.organization).toEqual({ country: 'AT', currency: 'USD' })
  await set(session, 'Country', 'JP')
  expect(await currencyIn(session)).toEqual({ country: 'JP', currency: 'USD' })

  await set(session, 'Currency', null)
  expect(await currencyIn(session)).toEqual({ country: 'JP', currency: 'JPY' })
  const events = await app.services.database.prisma.event.findMany({
    where: { orgId, type: 'organization.updated' },
    orderBy: { id: 'asc' },
  })
  expect(events.map(({ changes }) => changes)).toEqual([
    { country: [null, 'CH'] },
    { country: ['CH', 'AT'] },
    { currency: [null, 'USD'] },
    { country: ['AT', 'JP'] },
    { currency: ['USD', null] },
  ])
})

test.each(['XXX', 'DEM', 'EURO', '€'])('a currency that is not in use, %s, is refused and changes nothing', async value => {
  const { session } = await app.given.session()
  await set(session, 'Currency', 'EUR')

  const { body } = await set(session, 'Currency', value)

  expect(body.errors?.[0]).toMatchObject({ extensions: { code: 'INVALID' } })
  expect(JSON.stringify(body.errors)).toContain('it is not a currency code of ISO 4217, such as EUR')
  expect((await currencyIn(session)).currency).toBe('EUR')
})
