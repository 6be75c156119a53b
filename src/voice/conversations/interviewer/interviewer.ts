// The agent without a model: greets, asks one question for each field, reads the answers back, thanks and ends. Pure.
//
// Its state is kept with each of its turns, so that any process can go on.

import type { CallOutcome, ExtractedField } from '../../providers/telephony.ts'
import type { Conclusion, Ending, PastTurn, Speaker, Thinker } from '../thinker.ts'
import { sentencesIn } from './languages/all.ts'
import type { Sentences } from './languages/sentences.ts'
import { truthOf, type Value, valueIn } from './values.ts'

interface Memory {
  /** The field that the last question asks for; `confirm` and `correct` for the questions about all of them; null after the greeting. */
  asked: { field: string } | 'confirm' | 'correct' | null
  /** Null: not told. */
  values: Record<string, Value | null>
  /** How often the last question was repeated. */
  repeats: number
  /** How often the answers were corrected. */
  corrections: number
}

interface Reply {
  text: string
  memory: Memory
  ending: Ending | null
}

// Twice: a third repetition annoys more than a missing value harms.
const maxRepeats = 2
const maxCorrections = 2

const atGreeting: Memory = { asked: null, values: {}, repeats: 0, corrections: 0 }

/** The next words of the interviewer. */
function replyTo(speaker: Speaker, turns: readonly PastTurn[], now: Date): Reply {
  const sentences = sentencesIn(speaker.language)
  const last = turns.findLastIndex(({ role }) => role === 'agent')
  if (last < 0) return say(speaker.firstMessage ?? sentences.greeting(speaker.name), atGreeting)
  // `as`: only this file writes the memory of an agent without models.
  const memory = (turns[last]?.memory as Memory | undefined) ?? atGreeting
  const said = turns
    .slice(last + 1)
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join(' ')
  return endingOf(said, memory, sentences, speaker) ?? answer(said, { speaker, sentences, memory, now })
}

const say = (text: string, memory: Memory, ending: Ending | null = null): Reply => ({ text, memory, ending })

function end(sentences: Sentences, kind: keyof Sentences['goodbye'], outcome: CallOutcome, memory: Memory): Reply {
  return say(sentences.goodbye[kind], memory, { outcome, reason: reasons[kind] })
}
const reasons: Record<keyof Sentences['goodbye'], string> = {
  done: 'agent_hung_up',
  nothing: 'agent_hung_up',
  declined: 'declined',
  callback: 'callback_requested',
  doNotCall: 'do_not_call',
  wrongNumber: 'wrong_number',
  person: 'person_requested',
}

/** The reply to words that end the conversation, whatever was asked. */
function endingOf(said: string, memory: Memory, sentences: Sentences, { transferTo = [] }: Speaker): Reply | null {
  const { hears } = sentences
  const heard = said.toLowerCase()
  if (hears.doNotCall.test(heard)) return end(sentences, 'doNotCall', 'do_not_call', memory)
  if (hears.wrongNumber.test(heard)) return end(sentences, 'wrongNumber', 'wrong_number', memory)
  if (hears.person.test(heard)) {
    const [first] = transferTo
    return first
      ? say(sentences.connecting, memory, { outcome: 'transferred', reason: 'transferred', transferTo: first.phone })
      : end(sentences, 'person', 'callback_requested', memory)
  }
  if (hears.callback.test(heard)) return end(sentences, 'callback', 'callback_requested', memory)
  return hears.goodbye.test(heard) ? end(sentences, 'nothing', 'goal_not_met', memory) : null
}

interface Place {
  speaker: Speaker
  sentences: Sentences
  memory: Memory
  now: Date
}

function answer(said: string, place: Place): Reply {
  const { sentences, memory } = place
  const isYes = truthOf(said.toLowerCase(), sentences)
  if (memory.asked === null)
    return isYes === false && isShort(said) ? end(sentences, 'declined', 'goal_not_met', memory) : askNext(place, memory)
  if (memory.asked === 'confirm') return confirm(said, isYes, place)
  if (memory.asked === 'correct') return correct(said, place)

  const { field: name } = memory.asked
  const field = place.speaker.extraction[name]
  const value = field && valueIn(said, field, sentences, place.now)
  if (field && value === undefined && memory.repeats < maxRepeats)
    return say(again(field, sentences), { ...memory, repeats: memory.repeats + 1 })
  return askNext(place, { ...memory, repeats: 0, values: { ...memory.values, [name]: value ?? null } })
}

// A longer answer, such as "No, but ask me anyway", goes on.
const isShort = (said: string) => said.trim().split(/\s+/).length <= 4

/** Asks for the next field, or reads all values back. */
function askNext({ speaker, sentences }: Place, memory: Memory): Reply {
  const next = fieldsOf(speaker).find(([name]) => !(name in memory.values))
  if (next) return say(questionFor(next, sentences), { ...memory, asked: { field: next[0] }, repeats: 0 })
  const told = toldBy(speaker, memory)
  if (told.length === 0) return end(sentences, 'nothing', fieldsOf(speaker).length === 0 ? 'goal_met' : 'goal_not_met', memory)
  const values = told.map(([name, field, value]) => `${titleOf(name, field)}: ${spoken(value, field, sentences)}`)
  return say(sentences.readBack(listed(values, sentences)), { ...memory, asked: 'confirm', repeats: 0 })
}

function confirm(said: string, isYes: boolean | undefined, place: Place): Reply {
  const { speaker, sentences, memory } = place
  if (isYes === true || memory.corrections >= maxCorrections) return end(sentences, 'done', 'goal_met', memory)
  if (isYes === undefined)
    return memory.repeats < maxRepeats
      ? say(sentences.again.boolean, { ...memory, repeats: memory.repeats + 1 })
      : end(sentences, 'done', 'goal_met', memory)
  return correctionOf(said, place) ?? say(sentences.whichIsWrong(titlesOf(speaker, sentences)), { ...memory, asked: 'correct', repeats: 0 })
}

function correct(said: string, place: Place): Reply {
  const { sentences, memory } = place
  return correctionOf(said, place) ?? (memory.repeats < maxRepeats ? repeatCorrection(place) : end(sentences, 'done', 'goal_met', memory))
}

const repeatCorrection = ({ speaker, sentences, memory }: Place) =>
  say(sentences.whichIsWrong(titlesOf(speaker, sentences)), { ...memory, repeats: memory.repeats + 1 })

/** Asks again for the field that the words name; null if they name none. */
function correctionOf(said: string, { speaker, sentences, memory }: Place): Reply | null {
  const heard = said.toLowerCase()
  const named = fieldsOf(speaker).find(([name, field]) => heard.includes(titleOf(name, field).toLowerCase()))
  if (!named) return null
  const { [named[0]]: _, ...values } = memory.values
  return say(questionFor(named, sentences), {
    ...{ asked: { field: named[0] }, values, repeats: 0 },
    corrections: memory.corrections + 1,
  })
}

type Named = readonly [string, ExtractedField]

const fieldsOf = ({ extraction }: Speaker): Named[] =>
  Object.entries(extraction).toSorted(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0))

const titleOf = (name: string, { title }: ExtractedField) => title?.trim() || name.replaceAll('_', ' ')

function questionFor([name, field]: Named, sentences: Sentences): string {
  const description = field.description?.trim() ?? ''
  // A description that is a question is asked as it is.
  return /[?？]$/.test(description) ? description : sentences.question(titleOf(name, field))
}

function again(field: ExtractedField, { again: asks, locale }: Sentences): string {
  if (field.enum && field.enum.length > 0)
    return asks.choice(new Intl.ListFormat(locale, { type: 'disjunction' }).format(field.enum.map(String)))
  if (field.format === 'date') return asks.date
  if (field.type === 'boolean') return asks.boolean
  return field.type === 'string' ? asks.text : asks.number
}

const toldBy = (speaker: Speaker, { values }: Memory) =>
  fieldsOf(speaker).flatMap(([name, field]): [string, ExtractedField, Value][] => {
    const value = values[name]
    return value === null || value === undefined ? [] : [[name, field, value]]
  })

const titlesOf = (speaker: Speaker, sentences: Sentences) =>
  new Intl.ListFormat(sentences.locale, { type: 'disjunction' }).format(fieldsOf(speaker).map(([name, field]) => titleOf(name, field)))

const listed = (values: readonly string[], { locale }: Sentences) => new Intl.ListFormat(locale).format(values)

function spoken(value: Value, field: ExtractedField, { locale, yes, no }: Sentences): string {
  if (typeof value === 'boolean') return value ? yes : no
  if (typeof value === 'number') return new Intl.NumberFormat(locale).format(value)
  return field.format === 'date'
    ? new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${value}T00:00:00Z`))
    : value
}

/** The result: the values that were told, and what the interviewer decided. */
function concludeInterview(speaker: Speaker, turns: readonly PastTurn[], ending: Ending | null): Conclusion {
  // `as`: see `replyTo`.
  const memory = (turns.findLast(({ role }) => role === 'agent')?.memory as Memory | undefined) ?? atGreeting
  const told = toldBy(speaker, memory)
  const sentences = sentencesIn(speaker.language)
  const summary = told.map(([name, field, value]) => `${titleOf(name, field)}: ${spoken(value, field, sentences)}.`).join(' ')
  return {
    outcome: ending?.outcome ?? (turns.some(({ role }) => role === 'user') ? 'goal_not_met' : 'unknown'),
    summary: summary || (turns.findLast(({ role }) => role === 'user')?.text ?? null),
    extracted: Object.fromEntries(told.map(([name, , value]) => [name, value])),
    ...{ inputTokens: 0, outputTokens: 0 },
  }
}

export const interviewer: Thinker = {
  async *think({ speaker, turns, now, signal }) {
    signal.throwIfAborted()
    const { text, memory, ending } = replyTo(speaker, turns, now)
    yield { kind: 'text', text }
    if (ending) yield { kind: 'end', ending }
    yield { kind: 'done', memory, inputTokens: 0, outputTokens: 0, model: null }
  },
  conclude: ({ speaker, turns }, ending) => Promise.resolve(concludeInterview(speaker, turns, ending)),
}
