// Words of the settings of calls, and the deny list.

import type { ReactNode } from 'react'
import { room } from '../../language.ts'
import { say } from '../../say.ts'

export const callSettingWords = room('callSettings', {
  title: 'Calls',
  sentence: 'For every call that voice agents place for this organization.',
  clockProblem: 'A time such as 09:00',
  atLeastOne: 'At least 1',
  bothTimes: 'Enter both times, or none',
  areSaved: 'The settings of calls are saved',
  save: 'Save',
  days: 'Days on which phones may ring',
  daysHelp: 'At any hour, unless you enter times below',
  from: 'From',
  fromHelp: "In the person's time zone",
  until: 'Until',
  untilHelp: 'Not included',
  zone: 'Time zone',
  zoneHelp: 'For contacts without a time zone',
  atOnce: 'Calls at once',
  atOnceHelp: 'Further calls wait in order',
  denyList: 'Deny list',
  denySentence: 'Numbers that are never called, whatever their contact allows.',
  noneDenied: 'No number is denied.',
  denied: 'Denied numbers',
  allowLoses: 'The number and its reason leave the deny list.',
  allowCalls: 'Allow calls',
  allow: 'Allow',
  showMore: 'Show more',
  numberNeeded: 'Enter a number, such as +49 30 1234567',
  deny: 'Deny number',
  number: 'Number',
  reason: 'Reason',
  reasonExample: 'Asked not to be called',
  weekdays: { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' },
  allowQuestion: (phone: string) => `Allow calls to ${phone} again?`,
  allowNumber: (phone: string) => `Allow ${phone}`,
  isDenied: (phone: string) => `${phone} is denied`,
  deniedAt: (time: ReactNode, who: string | null) => (who === null ? say`Denied ${time}` : say`Denied ${time} by ${who}`),
})
