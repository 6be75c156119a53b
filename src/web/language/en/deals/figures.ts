// Words of the widgets of deals on the home page.

import { room } from '../../language.ts'

export const figureWords = room('dealFigures', {
  open: (deals: string) => `open in ${deals}`,
  forecast: (deals: string) => `expected of ${deals}, each by the probability of its stage`,
  won: (deals: string, window: string) => `of ${deals} decided ${window} were won`,
  rate: (currency: string, rate: string) => `${currency}: ${rate} won`,
  inStage: (window: string) => `in a stage on average, ${window}`,
  changes: (window: string) => `changes of deals ${window}`,
  withoutAmount: 'Without an amount',
  haveNoAmount: 'without an amount',
  noDate: 'No date',
  of: (figures: string, currency: string) => `${figures} in ${currency}`,
  columns: {
    stage: 'Stage',
    month: 'Month',
    amount: 'Amount',
    deals: 'Deals',
    won: 'Won',
    lost: 'Lost',
    share: 'Share',
    state: 'State',
    stays: 'Stays',
    days: 'Average',
    owner: 'Owner',
    added: 'Added',
    moved: 'Moved',
  },
})
