// Scripts of simulated calls. The called number selects the script, so that every outcome can be tested. Pure.

import type { CallNews, DialOrder, ExtractedField, TranscriptLine } from './telephony.ts'

/** Country code 999 is unassigned, so these numbers never reach a person. */
export const steeringNumbers = {
  '+9990000001': 'busy',
  '+9990000002': 'no_answer',
  '+9990000003': 'voicemail',
  '+9990000004': 'failed',
  '+9990000005': 'slow',
  '+9990000006': 'lost_answer',
  '+9990000007': 'declined',
  '+9990000008': 'rejected',
  '+9990000009': 'unavailable',
  '+9990000010': 'silent',
  '+9990000011': 'callback',
  '+9990000012': 'wrong_number',
  '+9990000013': 'do_not_call',
  '+9990000014': 'transferred',
  '+9990000015': 'disordered',
} as const

export type Script = (typeof steeringNumbers)[keyof typeof steeringNumbers] | 'talk'

export const scriptFor = (toNumber: string): Script =>
  Object.hasOwn(steeringNumbers, toNumber) ? steeringNumbers[toNumber as keyof typeof steeringNumbers] : 'talk'

/** The parameters of a script. A type, because an interface is not assignable to JSON. */
export type Setting = {
  agentName: string
  firstMessage: string | null
  extraction: Readonly<Record<string, ExtractedField>>
  ringTimeoutSeconds: number
  /** Reports each line when it is said, for people who listen; otherwise half of the conversation at once. */
  isHeard?: boolean
}

export const settingOf = ({ agent, ringTimeoutSeconds }: DialOrder, isHeard: boolean): Setting => ({
  agentName: agent.name,
  firstMessage: agent.firstMessage,
  extraction: agent.extraction,
  ringTimeoutSeconds,
  isHeard,
})

export interface Step {
  /** Milliseconds after the previous step, at real speed. */
  afterMs: number
  news: CallNews
}

const ringing: Step = { afterMs: 0, news: { status: 'ringing' } }
const answered: Step = { afterMs: 2000, news: { status: 'in_progress', answeredBy: 'human' } }

/** The steps of a script in the order of their reports. */
export function stepsOf(script: Script, setting: Setting): Step[] {
  const end = (status: 'busy' | 'no_answer' | 'failed', afterMs: number, news: CallNews = {}): Step[] => [
    ringing,
    { afterMs, news: { status, endedReason: status, ...news } },
  ]
  switch (script) {
    case 'busy':
      return end('busy', 1000, { providerReason: 'SIP 486' })
    case 'declined':
      return end('busy', 3000, { outcome: 'declined', endedReason: 'declined', providerReason: 'SIP 603' })
    case 'no_answer':
      return end('no_answer', setting.ringTimeoutSeconds * 1000)
    case 'failed':
      return end('failed', 500, { providerReason: 'SIP 404' })
    case 'silent':
      return [ringing, answered]
    case 'voicemail':
      return [
        ringing,
        { afterMs: 4000, news: { status: 'in_progress', answeredBy: 'machine' } },
        { afterMs: 3000, news: { status: 'completed', ...durationOf(setting, 3), endedReason: 'voicemail_reached' } },
      ]
    case 'disordered': {
      const steps = talkOf(setting, 'talk')
      return [...steps.toReversed(), ...steps].map(step => ({ ...step, afterMs: 0 }))
    }
    default:
      return talkOf(setting, script)
  }
}

// At real speed the clock tells the duration: steps come a little late, and the shown time would jump back at the end.
const durationOf = ({ isHeard }: Setting, durationSeconds: number): CallNews => (isHeard ? {} : { durationSeconds })

const endings: Partial<Record<Script, { line: string; news: CallNews }>> = {
  callback: { line: 'I am in a meeting. Call me back tomorrow, please.', news: { outcome: 'callback_requested' } },
  wrong_number: { line: 'There is nobody of that name here.', news: { outcome: 'wrong_number' } },
  do_not_call: { line: 'Please do not call me again.', news: { outcome: 'do_not_call' } },
  transferred: { line: 'Can I speak with a person?', news: { outcome: 'transferred', endedReason: 'transferred' } },
}

// A conversation: a greeting, a question for each field to extract, and a goodbye.
function talkOf(setting: Setting, script: Script): Step[] {
  const ending = endings[script]
  const greeting = setting.firstMessage ?? `Hello, this is ${setting.agentName}. Do you have a minute?`
  const questions = ending ? [] : questionsOf(setting.extraction)
  const said: [TranscriptLine['role'], string][] = [
    ['agent', greeting],
    ['user', ending ? ending.line : 'Yes, go ahead.'],
    ...questions.flatMap(({ ask, answer }): [TranscriptLine['role'], string][] => [
      ['agent', ask],
      ['user', answer],
    ]),
    ['agent', 'Thank you. Goodbye!'],
  ]
  const transcript = said.map(([role, text], index) => ({ seq: index + 1, role, text, startMs: index * 2000, endMs: index * 2000 + 1800 }))
  const seconds = transcript.length * 2
  const half = Math.ceil(transcript.length / 2)
  const told = setting.isHeard ? transcript.map((_line, index) => index + 1) : [half]
  const talking = told.map((lines, index): Step => {
    const afterMs = setting.isHeard ? (index === 0 ? 0 : 2000) : half * 2000
    return { afterMs, news: { status: 'in_progress', transcript: transcript.slice(0, lines) } }
  })
  return [
    ringing,
    answered,
    ...talking,
    {
      afterMs: setting.isHeard ? 2000 : (transcript.length - half) * 2000,
      news: {
        status: 'completed',
        ...durationOf(setting, seconds),
        outcome: 'goal_met',
        endedReason: 'agent_hung_up',
        summary: ending ? ending.line : 'Every question was answered.',
        transcript,
        extracted: Object.fromEntries(questions.map(({ name, value }) => [name, value])),
        ...ending?.news,
      },
    },
  ]
}

const usual: Readonly<Record<string, ExtractedField>> = {
  job_title: { type: 'string' },
  company_name: { type: 'string' },
  interested: { type: 'boolean' },
}
const known: Record<string, string> = {
  first_name: 'Robin',
  last_name: 'Meyer',
  full_name: 'Robin Meyer',
  email: 'robin.meyer@northwind.example',
  job_title: 'Head of Operations',
  company_name: 'Northwind Traders',
  company_domain: 'northwind.example',
  city: 'Hamburg',
  country: 'DE',
  timezone: 'Europe/Berlin',
}

function questionsOf(extraction: Readonly<Record<string, ExtractedField>>) {
  const fields = Object.keys(extraction).length > 0 ? extraction : usual
  const inOrder = Object.entries(fields).toSorted(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0))
  return inOrder.map(([name, field]) => {
    const value = valueFor(name, field)
    const what = field.description ?? field.title ?? name.replaceAll('_', ' ')
    // A description that is a question is asked as it is.
    const ask = what.trim().endsWith('?') ? what.trim() : `About ${what}: what can you tell me?`
    return { name, value, ask, answer: sentenceOf(field.title ?? name.replaceAll('_', ' '), value, field.title !== undefined) }
  })
}

function valueFor(name: string, { type, format, enum: values }: ExtractedField): string | number | boolean {
  if (format === 'date') return '2027-03-15'
  if (values?.[0] !== undefined) return values[0]
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return 12
  return (Object.hasOwn(known, name) && known[name]) || 'as discussed'
}

// A title is for people, in their language: it stays as it is.
const sentenceOf = (name: string, value: string | number | boolean, isTitle: boolean) =>
  value === true ? `Yes: ${name}.` : isTitle ? `${name}: ${value}.` : `My ${name} is ${value}.`
