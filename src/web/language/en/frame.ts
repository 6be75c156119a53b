// The words around every screen: the rail, its groups and menus. A salesperson knows these labels. The contract keeps its own words;
// schema/README.md lists both.

import { room } from '../language.ts'

export const frameWords = room('frame', {
  places: {
    home: 'Home',
    inbox: 'Inbox',
    contacts: 'Contacts',
    companies: 'Companies',
    deals: 'Deals',
    tasks: 'Tasks',
    calls: 'Calls',
    agents: 'Voice agents',
    suggestions: 'Suggestions',
    jobs: 'Runs',
    recipes: 'Sources',
    gateway: 'Assistant',
    credits: 'Credits',
    settings: 'Settings',
  },
  enrichment: 'Data enrichment',
  search: 'Search',
  more: 'More',
  developers: 'Developers',
  guest: 'Guest',
  you: 'You',
  skip: 'Skip to the content',
  /** The rail, and the bottom bar of a phone. */
  navigation: 'Places',
  fold: 'Collapse the menu',
  unfold: 'Expand the menu',
  signOut: 'Sign out',
  found: {
    here: 'On this page',
    do: 'Do',
    places: 'Go to',
    found: 'Found',
  },
  notFound: {
    page: 'This page was not found',
    call: 'This call was not found',
    agent: 'This voice agent was not found',
    import: 'This import was not found',
    sentence: 'It may have been deleted, or the address has a mistake.',
    toStart: 'Go to the start page',
  },
  searchAndGo: 'Search and go to',
  shortcuts: 'Keyboard shortcuts',
  listShortcuts: 'List the shortcuts',
  actions: 'Actions',
  closePanel: 'Close the panel',
  colors: { auto: 'Same as the device', light: 'Light', dark: 'Dark' },
  signUpOrIn: 'Sign up or sign in',
  away: 'The server cannot be reached. You see the data from before. Changes wait until it is back.',
  organizations: 'Organizations',
  organizationSettings: 'Organization settings',
  invite: 'Invite a colleague',
  newOrganization: 'New organization',
  waiting: (count: string) => `${count} to review`,
  unread: (count: string) => `${count} open`,
})

/** Words of every table: its filters, columns, selection and news. */
export const tableWords = room('table', {
  filters: 'Filters',
  columns: 'Columns',
  selected: 'Selected rows',
  selectLoaded: 'Select all rows that are loaded',
  selectRow: 'Select the row',
  /** Names a chart. */
  figuresOf: (name: string) => `${name}. The table beside it has the same figures.`,
  selectAll: (count: string) => `Select all ${count} that match`,
  /** The same, where the bar is narrow. */
  all: (count: string) => `All ${count}`,
  clear: 'Clear the selection',
  changed: 'The list has changed. Show it',
  arrange: (list: string) => `Order and columns of ${list}`,
  search: 'Search in the list',
  clearSearch: 'Clear the search',
  halfDate: (field: string) => `${field} takes a whole date. Complete it, or clear all of it.`,
  // The filter of a list by days.
  days: {
    between: (from: string, to: string) => `${from} to ${to}`,
    since: (day: string) => `since ${day}`,
    until: (day: string) => `until ${day}`,
  },
})
