// Deals whose contacts are merged: they follow, without doubling, and come back when the merge is undone.

import { expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import type { Client } from '../client.ts'
import { add, read, seller } from './deals.ts'

const app = await openApp()

const contactsOf = async (on: Client, id: string) =>
  (await read(on, id)).contacts.map(({ contact, role }: Json) => [contact.id, role]) as [string, string | null][]
const dealsOf = async (on: Client, id: string): Promise<string[]> =>
  (await on.data('query ($id: ID!) { contact(id: $id, includeDeleted: true) { deals { title } } }', { id })).contact.deals.map(
    ({ title }: Json) => title,
  )

test('deals follow to the winner, once each, and come back', async () => {
  const { on } = await seller(app)
  const [{ id: winnerId }, { id: loserId }, { id: third }] = [await on.create(), await on.create(), await on.create()]
  const ofBoth = await add(on, { title: 'Of both', contacts: [{ contactId: winnerId, role: 'Buyer' }, { contactId: loserId }] })
  const ofLoser = await add(on, { title: 'Of the loser', contacts: [{ contactId: third }, { contactId: loserId, role: 'User' }] })
  const merge = 'mutation ($input: MergeContactsInput!) { mergeContacts(input: $input) { mergeId moved { deals } } }'
  const { mergeContacts: merged } = await on.data(merge, { input: { winnerId, loserId } })
  const after = [await contactsOf(on, ofBoth.id), await contactsOf(on, ofLoser.id)]
  const version = (await read(on, ofLoser.id)).version
  const ofWinner = await dealsOf(on, winnerId)
  const later = await add(on, { title: 'Later', contacts: [{ contactId: winnerId }] })
  await on.data('mutation ($input: UndoMergeInput!) { undoMerge(input: $input) { mergeId } }', { input: { mergeId: merged.mergeId } })

  expect(merged.moved).toEqual({ deals: 1 })
  expect(after).toEqual([
    [[winnerId, 'Buyer']],
    [
      [third, null],
      [winnerId, 'User'],
    ],
  ])
  expect(version).toBe(ofLoser.version + 1)
  expect(ofWinner.toSorted()).toEqual(['Of both', 'Of the loser'])
  expect(await contactsOf(on, ofBoth.id)).toEqual([
    [winnerId, 'Buyer'],
    [loserId, null],
  ])
  expect(await contactsOf(on, ofLoser.id)).toEqual([
    [third, null],
    [loserId, 'User'],
  ])
  expect(await contactsOf(on, later.id)).toEqual([[winnerId, null]])
  expect((await dealsOf(on, loserId)).toSorted()).toEqual(['Of both', 'Of the loser'])
})
