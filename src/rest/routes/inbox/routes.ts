// The endpoints of the inbox.

import { z } from 'zod'
import {
  FinishInboxDocument,
  GetInboxItemDocument,
  GetInboxPreferencesDocument,
  type InboxKind,
  type InboxState,
  ListInboxDocument,
  UpdateInboxItemDocument,
  UpdateInboxPreferencesDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { enumOf, pageOf, total } from '../inputs.ts'
import { inboxExamples as examples } from './examples.ts'

const inbox = '/api/crm/v1/inbox'
const item = `${inbox}/{item_id}` as const
const preferences = '/api/crm/v1/inbox-preferences'
const anInbox = { role: 'api', tag: 'Inbox', callers: developers, scope: 'inbox:manage' } as const
const query = {
  state: enumOf<InboxState>('InboxState').optional().meta({ unlessGiven: 'open' }),
  kind: enumOf<InboxKind>('InboxKind').optional(),
}

export const inboxRoutes: readonly Route[] = [
  route('GET', inbox, ListInboxDocument, {
    ...anInbox,
    summary: 'List the inbox',
    description: 'The items of the signed-in member, or of the member who made the API key, newest first.',
    query: z.strictObject({ ...pageOf, include: total, ...query }),
    examples: { answer: examples.itemPage },
  }),
  derivedRoute('POST', `${inbox}/finish`, FinishInboxDocument, {
    ...anInbox,
    summary: 'Finish all inbox items',
    description: 'All open items, or all open items of one kind, the oldest 1,000 at a time: repeat it until it answers 0.',
    takes: { name: 'InboxToFinish' },
    examples: { body: examples.toFinish, answer: examples.finished },
  }),
  route('GET', item, GetInboxItemDocument, {
    ...anInbox,
    summary: 'Get an inbox item',
    description: 'By its id. One in the inbox of another member is not found.',
    etag: true,
    examples: { answer: examples.item },
  }),
  derivedRoute('PATCH', item, UpdateInboxItemDocument, {
    ...anInbox,
    summary: 'Finish, reopen or snooze an inbox item',
    description: 'A field that is absent stays as it is.',
    takes: {
      name: 'InboxItemChange',
      neverNull: ['done'],
      described: {
        done: 'True finishes it, false reopens it.',
        snoozed_until: 'When it comes back, at most a year ahead. Null brings it back now.',
      },
    },
    ifMatch: true,
    etag: true,
    examples: { body: examples.itemChange, answer: examples.doneItem },
  }),
  route('GET', preferences, GetInboxPreferencesDocument, {
    ...anInbox,
    summary: 'Get the preferences of the inbox',
    description: 'How the signed-in member, or the member who made the API key, learns of each kind of items.',
    examples: { answer: examples.preferences },
  }),
  derivedRoute('PATCH', preferences, UpdateInboxPreferencesDocument, {
    ...anInbox,
    summary: 'Change the preferences of the inbox',
    description: 'A field that is absent stays as it is. The changes count for items that come from then on.',
    takes: { name: 'InboxPreferencesChange' },
    examples: { body: examples.preferencesChange, answer: examples.preferences },
  }),
]
