// Words of the settings of notifications: the kinds of inbox items, and the ways in which a person learns of them.

import type { InboxKind, InboxMail } from '../../../generated/schema.ts'
import { room } from '../../language.ts'

export const notificationWords = room('notifications', {
  title: 'Notifications',
  sentence: 'For you alone, in this organization. Changes count for what comes from now on.',
  guest: 'Notifications',
  kind: 'Event',
  kinds: {
    ASSIGNED: 'A contact, a company, a deal or a task is given to you',
    MENTIONED: 'A note mentions you',
    REMINDER_DUE: 'A task reminds you',
    CALL_ENDED: 'Your call is over',
    JOB_ENDED: 'Your search for data is over',
    IMPORT_ENDED: 'Your import is over',
    BULK_CHANGE_ENDED: 'Your change of many at once is over',
    CREDITS_LOW: 'Credits are running low',
    WEBHOOK_FAILING: 'A webhook fails',
  } satisfies Record<InboxKind, string>,
  ways: { inbox: 'Inbox', toast: 'Pop-up', browser: 'Browser', mail: 'Email' },
  means: {
    inbox: 'Inbox: it waits in your list until you are done with it.',
    toast: 'Pop-up: the open app shows a message.',
    browser: 'Browser: a notification while the app is in the background. Switch it on for each browser.',
  },
  mails: { OFF: 'No email', AT_ONCE: 'At once', DAILY: 'Daily email' } satisfies Record<InboxMail, string>,
  cell: (way: string, kind: string) => `${way}: ${kind}`,
  mailTitle: 'Emails',
  mailTo: (address: string) => `They go to ${address}.`,
  noAddress: 'Your account has no email address, so no emails are sent.',
  noMail: 'This installation sends no email. Its operator can set up a mail server.',
  hour: 'Time of the daily email',
  zone: (zone: string) => `Time zone: ${zone}. It follows your profile.`,
  saved: 'Saved',
  choose: 'Choose notifications',
})
