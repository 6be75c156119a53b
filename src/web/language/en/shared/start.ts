// Words of the pages before the app is loaded, and of a screen that broke.

import { room } from '../../language.ts'

export const startWords = room('start', {
  loading: 'Loading',
  broken: {
    title: 'This screen could not be shown',
    sentence: 'Load the page again: a new release may have replaced it. Your text is kept.',
    again: 'Load again',
  },
  alsoByApi: 'Everything here can also be done by API.',
  readReference: 'Read the reference',
})
