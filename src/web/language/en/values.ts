// Words for values of any kind, and the nouns that are counted.

import { room } from '../language.ts'

export const valueWords = room('values', { yes: 'Yes', no: 'No', empty: 'Empty', none: 'None', others: 'Others' })

export const nounWords = room('nouns', {
  contact: { one: 'contact', other: 'contacts' },
  call: { one: 'call', other: 'calls' },
  placedCall: { one: 'placed call', other: 'placed calls' },
  task: { one: 'task', other: 'tasks' },
  suggestion: { one: 'suggestion', other: 'suggestions' },
  run: { one: 'run', other: 'runs' },
  agent: { one: 'voice agent', other: 'voice agents' },
  pair: { one: 'pair', other: 'pairs' },
  import: { one: 'import', other: 'imports' },
  credit: { one: 'credit', other: 'credits' },
  day: { one: 'day', other: 'days' },
  event: { one: 'event', other: 'events' },
  delivery: { one: 'delivery', other: 'deliveries' },
  providerMessage: { one: 'message from the phone provider', other: 'messages from the phone provider' },
  step: { one: 'step', other: 'steps' },
  moreField: { one: 'more field', other: 'more fields' },
})
