// Words of the form that places a call, of the call policy's verdict, and of calls that wait.

import { room } from '../../language.ts'

export const callFormWords = room('callForm', {
  contact: 'Contact',
  contactHint: 'Search by name, or enter a number below',
  noContact: 'No contact with a number has this name',
  agent: 'Voice agent',
  chooseAgent: 'Choose who calls',
  agentHint: 'Agent that calls',
  noAgent: 'A voice agent places the call, and no voice agent is active.',
  toAgents: 'Go to the agents',
  number: 'Number',
  enterNumber: 'Enter the number with its country, such as +49 30 1234567',
  numberHelp: 'With the country, such as +49 30 1234567. The call belongs to the contact with this number, or to a new one.',
  severalNumbers: (count: string) => `${count} numbers are known. Choose one, or enter another.`,
  notBefore: 'Not before',
  notBeforeHelp: 'In your time zone. Empty: now, or when calling hours begin.',
  record: 'Record the call',
  place: 'Place call',
  placed: {
    calling: (name: string) => `Calling ${name}`,
    waits: (name: string) => `The call to ${name} waits for a free line`,
    later: (name: string, time: string) => `${name} is called on ${time}`,
    blocked: (name: string, reason: string) => `${name} is not called: ${reason}`,
    failed: (name: string) => `The call to ${name} could not be placed`,
    open: 'Open the call',
  },
  zoned: (there: string, zone: string, here: string | null) => `${there} (${zone})${here === null ? '' : `, ${here} for you`}`,
})

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
  /** `at`: null for now. */
  dials: (at: string | null, isSimulated: boolean) =>
    isSimulated
      ? `The simulator plays the call ${at === null ? 'now' : `on ${at}`}. No phone rings.`
      : at === null
        ? 'The number is dialed now, or as soon as a line is free.'
        : `The number is dialed on ${at}.`,
  hours: 'Calling hours begin then.',
  changeHours: 'Change calling hours',
  reserved: (credits: string) => `${credits} are reserved until the call is over.`,
})

export const waitWords = room('callWait', {
  hours: (time: string) => `The call is held until ${time}, because calling hours have not begun.`,
  schedule: (time: string) => `The call waits until ${time}, the earliest time that was set for it.`,
  line: 'Its time has come. It is dialed as soon as a line is free.',
  trial: 'Calls through the simulator are held too. To hear the agent now, start a trial on its page.',
  toAgent: 'Go to the agent',
})
