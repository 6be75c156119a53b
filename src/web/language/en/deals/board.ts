// Words of the board of deals.

import { room } from '../../language.ts'

export const boardWords = room('board', {
  title: 'Board',
  pipeline: 'Pipeline',
  columns: 'Columns of the board',
  column: (stage: string, deals: string) => `${stage}, ${deals}`,
  empty: 'No deals here',
  noDeals: 'No deal matches these filters.',
  /** Of deals without an amount. */
  without: 'without an amount',
  add: 'Add a deal',
  addTo: (stage: string) => `Add a deal to ${stage}`,
  addTitle: 'Title',
  added: (title: string, stage: string) => `${title} added to ${stage}`,
  reordered: (title: string) => `${title} has another place`,
  notAdded: 'The deal was not added',
  show: 'Show the deals',
  drop: 'Drop here',
  stale: 'Stale',
  overdue: 'Overdue',
  closes: (day: string) => `Closes ${day}`,
  movedBy: (who: string) => `Moved by ${who}`,
  othersMoved: (who: string, deal: string, stage: string) => `${who} moved ${deal} to ${stage}`,
  outrun: (who: string, stage: string) => `${who} has moved it to ${stage}.`,
  leave: (stage: string) => `Leave it in ${stage}`,
  insist: (stage: string) => `Move it to ${stage}`,
  news: 'Show the changes',
  keys: {
    lift: 'Lift the card, or drop it',
    move: 'Move among the cards, or the lifted card',
    help: 'Space lifts the card, the arrows move it, Space drops it, Esc brings it back.',
    lifted: (deal: string, stage: string) => `${deal} is lifted from ${stage}. Move it with the arrows, drop it with Space.`,
    over: (stage: string, place: number, total: number) => `${stage}, place ${place} of ${total}`,
    overTarget: (stage: string) => stage,
    dropped: (deal: string, stage: string) => `${deal} is dropped in ${stage}`,
    brought: (deal: string) => `${deal} is back at its place`,
  },
})
