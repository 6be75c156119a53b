// Words of components that are loaded when somebody opens them: menus, dialogs and conflicts.

import { room } from '../../language.ts'

export const laterWords = room('later', {
  copied: 'Copied',
  copy: (what: string) => `Copy ${what}`,
  toConfirm: (text: string) => `Type "${text}" to confirm`,
  showMore: 'Show more',
  draft: { restored: 'Your unsaved text from before is back.', discard: 'Discard it' },
  half: { date: 'Complete the date, or clear it', moment: 'Complete the date and the time, or clear both' },
  conflict: {
    title: (field: string) => `Changed meanwhile: ${field}`,
    yours: 'Yours',
    theirs: 'Theirs',
    keepYours: 'Keep yours',
    takeTheirs: 'Take theirs',
  },
  sort: {
    ascending: (column: string) => `${column}, ascending`,
    descending: (column: string) => `${column}, descending`,
    up: (column: string) => `Move ${column} up`,
    down: (column: string) => `Move ${column} down`,
  },
  keyNames: { escape: 'Esc', enter: 'Enter', space: 'Space', arrows: 'Arrows' },
  listKeys: {
    next: 'Next row',
    previous: 'Previous row',
    open: 'Open or edit the cell in focus',
    select: 'Select the row in focus',
    range: 'Select the next rows, too',
    all: 'Select all rows that match',
  },
  verbs: {
    newContact: 'New contact',
    newCompany: 'New company',
    newDeal: 'New deal',
    newTask: 'New task',
    newAgent: 'New voice agent',
    importContacts: 'Import contacts',
    call: (name: string) => `Call ${name}`,
    /** The first word of "call ada", which finds people to call. */
    callWord: 'call',
    light: 'Use light colors',
    dark: 'Use dark colors',
    auto: 'Match the colors of this device',
  },
  first: {
    title: 'You belong to no organization yet',
    sentence: 'Make one, or ask a colleague to invite you to theirs.',
    name: 'Name of the organization',
    create: 'Create organization',
  },
  banners: {
    guest: 'You look around a demo as a guest. You cannot change anything.',
    viewer: (organization: string) =>
      `You are a viewer of ${organization}: you read everything and change nothing. An admin can let you write.`,
    offer: (organization: string | null) => `You are asked to become an owner of ${organization ?? 'an organization'}.`,
    answer: 'Answer',
  },
  find: {
    hint: 'Find a contact, company, deal, call, note or agent, or go to a place',
    nothing: 'Nothing has this name',
    newTab: 'New tab',
  },
})
