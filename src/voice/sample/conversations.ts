// Conversations of sample calls: what people say to an agent that arranges appointments, asks about renewals, or welcomes new customers.

import type { CallOutcome } from '../providers/telephony.ts'

/** Names, days and times in a conversation. Days and times are words, such as "Tuesday" and "half past two". */
export interface Facts {
  firstName: string
  company: string
  jobTitle: string
  day: string
  otherDay: string
  time: string
  seats: number
}

export type Purpose = 'appointment' | 'renewal' | 'welcome'

export interface Conversation {
  /** Null: any agent may have it. */
  purpose: Purpose | null
  outcome: CallOutcome
  /** The lines in turn, the agent's first. `{day}` and the like stand for facts. */
  said: readonly string[]
  summary: string
  /** Values by the fields that the agent of the purpose asks for. `{jobTitle}` and the like stand for facts. */
  extracted?: Readonly<Record<string, string | boolean>>
}

export const conversations: readonly Conversation[] = [
  {
    purpose: 'appointment',
    outcome: 'goal_met',
    said: [
      'Hello {firstName}, this is the appointment desk of Rolocom. Do you have a minute?',
      'Sure, but only a minute. I am walking into the office.',
      'Then I will be quick. You asked for a demo. Would {day} at {time} suit you, or {otherDay} morning?',
      '{day} at {time} works. Can two colleagues join?',
      'Of course. I will add room for three. May I note what you do at {company}?',
      'I am {jobTitle} here. The other two are from finance.',
      'Thank you. You get an invitation by email in a moment. See you on {day}!',
      'Great, until then.',
    ],
    summary: 'Demo agreed for {day} at {time}, with two colleagues from finance.',
    extracted: { job_title: '{jobTitle}', interested: true },
  },
  {
    purpose: 'appointment',
    outcome: 'goal_met',
    said: [
      'Hello, this is the appointment desk of Rolocom. Am I speaking with {firstName}?',
      'You are. What is it about?',
      'About the meeting you asked for on our website. I have {day} at {time} or {otherDay} at ten.',
      '{day} is our planning day. Let us take {otherDay} at ten.',
      '{otherDay} at ten it is. A call, or shall somebody come to {company}?',
      'A call is fine. Send the link to my usual address, please.',
      'I will. And who will be there from your side?',
      'Only me. I am {jobTitle}, so it ends on my desk anyway.',
      'Good to know. Thank you, and have a nice day!',
    ],
    summary: 'Call agreed for {otherDay} at ten. {firstName} decides alone.',
    extracted: { job_title: '{jobTitle}', interested: true },
  },
  {
    purpose: 'appointment',
    outcome: 'goal_not_met',
    said: [
      'Hello {firstName}, this is the appointment desk of Rolocom. Do you have a minute?',
      'Yes, go ahead.',
      'I would like to find a time for your demo. How is {day} at {time}?',
      'To be honest, we signed with somebody else last week.',
      'I understand. May I ask what decided it?',
      'They import our old data for us. That was it, really.',
      'Thank you for telling me. May we ask again next year?',
      'You may. No promises.',
    ],
    summary: '{company} chose another provider, because it imports the old data for them. Ask again next year.',
    extracted: { interested: false },
  },
  {
    purpose: 'appointment',
    outcome: 'goal_not_met',
    said: [
      'Hello, this is the appointment desk of Rolocom. Do you have a minute, {firstName}?',
      'If it is about the demo: not this quarter. We have a hiring freeze.',
      'That is no problem. Shall I propose a date in the next quarter?',
      'Just write me an email. I will answer when the budget is clear.',
      'I will. Is email better than a call in general?',
      'Much better. I am in meetings most of the day.',
      'Noted. Thank you, and all the best to {company}.',
    ],
    summary: 'No demo this quarter because of a hiring freeze. Prefers email to calls.',
    extracted: { interested: true },
  },
  {
    purpose: 'renewal',
    outcome: 'goal_met',
    said: [
      'Hello {firstName}, I am calling about the renewal of {company}. Is this a good time?',
      'It is. I have the contract here in front of me.',
      'Lovely. It ends next month. Would you like to go on for another year?',
      'Yes. But we have grown. We need {seats} seats now.',
      '{seats} seats. Does everything else stay as it is?',
      'Everything else stays. Please put our order number on the invoice this time.',
      'I will make a note of it. You get the new contract on {day}.',
      'Perfect. Thank you for calling.',
    ],
    summary: 'Renews for a year with {seats} seats. Wants the order number on the invoice.',
    extracted: { seats: '{seats}' },
  },
  {
    purpose: 'renewal',
    outcome: 'goal_met',
    said: [
      'Hello {firstName}, I am calling about your renewal. Do you have two minutes?',
      'Two, yes.',
      'Will {company} stay with us for another year?',
      'We will. The team likes it. The reports could be faster, though.',
      'I will pass that on. With how many seats do you renew?',
      '{seats}. Three people left, but two are coming.',
      '{seats} it is. Thank you for staying with us!',
    ],
    summary: 'Renews with {seats} seats. Finds the reports slow.',
    extracted: { seats: '{seats}' },
  },
  {
    purpose: 'renewal',
    outcome: 'goal_not_met',
    said: [
      'Hello {firstName}, I am calling about your renewal at {company}.',
      'I was about to write to you. The price went up a lot.',
      'I see. Which part is too much for you?',
      'The seats. Half of our people log in once a month.',
      'I cannot promise a discount, but a colleague can look at smaller plans with you. Is {day} good?',
      'Have them call me. I will decide after that.',
      'They will call on {day}. Thank you for being open about it.',
    ],
    summary: 'Price is too high for the seats they use. A colleague calls on {day} about a smaller plan.',
  },
  {
    purpose: 'renewal',
    outcome: 'transferred',
    said: [
      'Hello {firstName}, I am calling about the renewal of {company}.',
      'Good. I have a question about the terms, clause nine.',
      'I would rather not guess about a clause. Shall I connect you with a colleague who knows the contract?',
      'Yes, please. Now is fine.',
      'One moment, I connect you.',
    ],
    summary: 'Asked about clause nine of the terms, and was connected with a colleague.',
  },
  {
    purpose: 'welcome',
    outcome: 'goal_met',
    said: [
      'Hello {firstName}, and welcome to Rolocom! How are you getting on?',
      'Well, I think. The import was easy. I got stuck at the calendar.',
      'Which calendar do you use at {company}?',
      'The one from our mail provider. It says that it cannot connect.',
      'An administrator has to allow it once. I will send you the steps. Is there anything else?',
      'No, that was the only thing. Nice of you to ask.',
      'Gladly. Good luck with the first week!',
    ],
    summary: 'The import worked. The calendar does not connect: send the steps for their administrator.',
    extracted: { company_name: '{company}' },
  },
  {
    purpose: 'welcome',
    outcome: 'goal_met',
    said: [
      'Hello and welcome, {firstName}! How are you getting on?',
      'We have only just started. Four of us at {company} have signed in so far.',
      'That is a good start. What would you like to do first?',
      'Bring order into our list of customers. It is spread over three spreadsheets.',
      'You can import them one after the other, and merge the duplicates. Shall somebody show you?',
      'On {day}, if you can. {time} would be best.',
      '{day}, {time}. You get an invitation. Have fun until then!',
      'Thanks, bye.',
    ],
    summary: 'Four people have started. Shown on {day} at {time} how to import three spreadsheets and merge duplicates.',
    extracted: { company_name: '{company}' },
  },
  {
    purpose: 'welcome',
    outcome: 'goal_not_met',
    said: [
      'Hello {firstName}, and welcome! How are you getting on?',
      'I have not looked at it yet. My colleague set it up before her holiday.',
      'When is she back at {company}?',
      'In two weeks. She is the one who knows.',
      'Then we call her in two weeks. Is there something I can do for you until then?',
      'No, thanks. We manage.',
    ],
    summary: 'Has not started. The colleague who set it up is back in two weeks.',
  },
  {
    purpose: null,
    outcome: 'callback_requested',
    said: [
      'Hello {firstName}, this is Rolocom. Do you have a minute?',
      'I am in a meeting. Call me back on {day}, please.',
      'Of course. Is {time} a good time?',
      'Yes, {time}. Bye.',
    ],
    summary: 'In a meeting. Call back on {day} at {time}.',
  },
  {
    purpose: null,
    outcome: 'callback_requested',
    said: [
      'Hello, this is Rolocom. Am I speaking with {firstName}?',
      'Speaking. I am driving, though. Can it wait?',
      'Certainly. When may I call again?',
      'Any time on {day}. Afternoons are better.',
      'Then {day} afternoon. Drive safely!',
    ],
    summary: 'Was driving. Call again on {day} afternoon.',
  },
  {
    purpose: null,
    outcome: 'wrong_number',
    said: [
      'Hello, this is Rolocom. Am I speaking with {firstName}?',
      'There is nobody of that name here. This is a bakery.',
      'I am sorry to have bothered you. I will correct the number.',
      'No harm done.',
    ],
    summary: 'Wrong number: it belongs to a bakery.',
  },
  {
    purpose: null,
    outcome: 'do_not_call',
    said: [
      'Hello {firstName}, this is Rolocom. Do you have a minute?',
      'No, and please take me off your list. Email is fine, calls are not.',
      'I will note that nobody calls you any more. Sorry for the disturbance.',
    ],
    summary: 'Wants no calls. Email is fine.',
  },
]

/** A text with the facts in their places. */
export const filled = (text: string, facts: Facts): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name as keyof Facts] ?? name))
