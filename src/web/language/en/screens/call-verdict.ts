// Words for the verdict of the call policy.

import { room } from '../../language.ts'

export const verdictWords = room('verdict', {
  refused: {
    do_not_call: 'This contact must not be called.',
    denied_number: 'This number is on your deny list.',
    calling_hours: 'There are no calling hours in the time that you allow.',
    expired: 'The time for this call is over.',
  },
  notAllowed: (why: string) => `This call is not allowed: ${why}.`,
  noRing: 'No phone will ring, and the call is listed as blocked.',
  checking: 'Checking the rules for calls',
  rings: (at: string | null, isInHours: boolean) =>
    `The phone rings ${at === null ? 'at once' : `on ${at}`}${isInHours ? ', when calling hours begin' : ''}.`,
  reserved: (credits: string) => `${credits} are reserved until the call is over.`,
})
