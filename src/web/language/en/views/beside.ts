// Words of the conditions of a view that the filters of its list cannot show.

import { room } from '../../language.ts'

export const besideWords = room('viewBeside', {
  why: 'A condition of this view that was set by the API',
  remove: (field: string) => `Remove the condition on ${field}`,
  empty: 'Without a value in any of',
  notEmpty: 'With a value in each of',
  included: 'included',
  only: 'only',
  noValue: 'no value',
  anyValue: 'any value',
  ownFields: 'Own fields',
  contains: (text: string) => `contains ${text}`,
  atLeast: (value: string) => `at least ${value}`,
  atMost: (value: string) => `at most ${value}`,
  allOf: (texts: string) => `all of ${texts}`,
  chosen: (count: number) => (count === 1 ? 'a certain one' : `one of ${count.toLocaleString()}`),
})
