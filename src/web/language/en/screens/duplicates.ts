// Words of the pairs of contacts that may be one person, and of their merge.

import type { DuplicateReason } from '../../../generated/schema.ts'
import { room } from '../../language.ts'

export const duplicateWords = room('duplicates', {
  title: 'Duplicates',
  pairs: 'Pairs',
  more: 'Show more pairs',
  all: 'All pairs',
  next: 'Next pair',
  previous: 'Previous pair',
  swapKey: 'Swap which contact stays',
  swap: 'Swap',
  empty: 'No two contacts look like the same person. Contacts with the same email, phone or name appear here in pairs.',
  back: 'Back to the contacts',
  picture: 'Picture',
  both: 'The two contacts',
  stays: 'Stays',
  goes: 'Is merged into it',
  same: 'The same in both',
  nothing: 'Nothing',
  added: 'Added',
  combined: { tags: 'The tags of both', doNotCall: 'Set if one of them has it', lastContactedAt: 'The later time' },
  reason: {
    DOMAIN: 'Same domain',
    EMAIL: 'Same email',
    NAME: 'Same name',
    NAME_AND_COMPANY: 'Same name and company',
    PHONE: 'Same phone',
    SIMILAR_NAME: 'Similar name',
    WEBSITE: 'Same website',
  } satisfies Record<DuplicateReason, string>,
  merge: 'Merge contacts',
  signUp: 'Sign up to merge',
  notSame: 'Not the same person',
  together: 'Notes, tasks and calls of both stay together.',
  merged: (name: string) => `Contacts merged into ${name}`,
  notUndone: 'The merge was not undone',
  undone: 'The merge is undone',
  dismiss: {
    title: 'Not the same person?',
    loses: (one: string, other: string) => `${one} and ${other} both stay as they are, and are not suggested as duplicates again.`,
    verb: 'Keep both',
    done: 'Both contacts stay',
  },
})
