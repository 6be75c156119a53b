// An absent variable leaves out its input field (graphql-jit's issues 91 and 230: it passes null instead).

import { expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'

const app = await openApp()

const update = `mutation ($id: ID!, $phone: String, $city: String, $stage: LifecycleStage = LEAD) {
  updateContact(input: { id: $id, phone: $phone, city: $city, lifecycleStage: $stage, jobTitle: "Analyst" }) { phone city lifecycleStage jobTitle }
}`

async function givenContact() {
  const { key } = await app.given.apiKey()
  const { body } = await app.rest('POST', '/api/crm/v1/contacts', {
    key,
    body: { email: 'ada@example.com', phone: '+442079460958', city: 'London', lifecycle_stage: 'customer' },
  })
  return { key, id: body.id as string }
}

test('an absent field is unchanged, null clears it, a default value is used', async () => {
  const { key, id } = await givenContact()

  const absent = await app.graphql(update, { id }, { key })
  const cleared = await app.graphql(update, { id, phone: null, city: 'Rome', stage: 'OTHER' }, { key })

  expect(absent.body.data.updateContact).toEqual({ phone: '+442079460958', city: 'London', lifecycleStage: 'LEAD', jobTitle: 'Analyst' })
  expect(cleared.body.data.updateContact).toEqual({ phone: null, city: 'Rome', lifecycleStage: 'OTHER', jobTitle: 'Analyst' })
})

test('a filter of variables ignores the absent ones', async () => {
  const { key } = await givenContact()
  const list = 'query ($email: String, $tag: String) { contacts(filter: { email: $email, tag: $tag }) { nodes { email } } }'

  const { body } = await app.graphql(list, { email: 'ada@example.com' }, { key })

  expect(body.data.contacts.nodes).toEqual([{ email: 'ada@example.com' }])
})

test('a variable that is named as what every object has is absent too, and has its default, however often it is asked for', async () => {
  const { key } = await givenContact()
  const absent =
    'query ($constructor: String, $toString: Int) { contacts(filter: { email: $constructor }, first: $toString) { nodes { city } } }'
  const byDefault = 'query ($constructor: String = "ada@example.com") { contacts(filter: { email: $constructor }) { nodes { city } } }'

  for (const query of [absent, byDefault])
    for (let time = 0; time < 4; time++)
      expect((await app.graphql(query, {}, { key })).body).toEqual({ data: { contacts: { nodes: [{ city: 'London' }] } } })
})

test('an error names a wrong value by the variable of the caller', async () => {
  const { key, id } = await givenContact()

  const { body } = await app.graphql(update, { id, city: 5 }, { key })

  expect(body.errors).toHaveLength(1)
  expect(body.errors[0].message).toContain('Variable "$city" got invalid value 5')
})
