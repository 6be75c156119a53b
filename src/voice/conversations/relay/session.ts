// One socket of a call: hears what the other side says, and lets the agent answer.
//
// Frames change the conversation one after the other. A frame that interrupts stops the answer that is being made at once, and the history
// keeps the words that were heard.

import type { Services } from '../../../kernel/context.ts'
import { systemContext } from '../../system-context.ts'
import { apology, conclusionOf, ownTurn } from '../conclusion.ts'
import { turnsOfConversation } from '../history.ts'
import { sentencesIn } from '../interviewer/languages/all.ts'
import { answerMs, maxTurns } from '../limits.ts'
import { calling, toolsOf } from '../own-tools.ts'
import { reserveAnswer } from '../price.ts'
import { type Conversation, type ConversationTurn, pastTurn } from '../row.ts'
import { ClaimLost, type NewTurns, storeTurns } from '../store.ts'
import type { Ending, PastTurn } from '../thinker.ts'
import { answer, type NewTurn } from '../turn.ts'
import type { Heard, Said } from './frames.ts'
import { heardUntil, shortenTurn } from './heard.ts'
import { createSilence } from './silence.ts'
import { tellCall } from './tell-call.ts'

/** The carrier, as a session sees it. */
export interface Carrier {
  send(frame: Said): void
  /** Closes the socket. */
  close(): void
}

export interface RelaySession {
  hear(frame: Heard): void
  /** The socket has closed. Resolves with the conversation when everything that was said is stored. */
  leave(): Promise<Conversation>
  /** Stops, so that another process can continue: stores the words that were said, and closes the socket. */
  handOver(): Promise<void>
}

interface Answering {
  stop: AbortController
  /** The words sent so far. */
  sent: string
  done: Promise<void>
}

export function createSession(services: Services, taken: Conversation, carrier: Carrier): RelaySession {
  const context = systemContext(services, taken.orgId, 'converse')
  const sentences = sentencesIn(taken.speaker.language)
  let conversation = taken
  // As they are stored, for the transcript; thinkers read them as `turns`.
  let rows: ConversationTurn[] = []
  let turns: PastTurn[] = []
  let answering: Answering | null = null
  let partial = ''
  let digits = ''
  let isBegun = false
  let isOver = false
  let digitTimer: NodeJS.Timeout | undefined

  const silence = createSilence(services.config.VOICE_SILENCE_SECONDS * 1000, count => void inOrder(() => onSilence(count)))

  // Changes of the conversation, one after the other.
  let tail: Promise<void> = Promise.resolve()
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    tail = tail.then(async () => {
      if (isOver) return
      try {
        await work()
      } catch (error) {
        if (!(error instanceof ClaimLost)) services.log.error({ err: error, conversationId: conversation.id }, 'a conversation failed')
        close()
      }
    })
    return tail
  }

  const close = () => {
    isOver = true
    silence.stop()
    clearTimeout(digitTimer)
    answering?.stop.abort()
    carrier.close()
  }

  const store = async (added: NewTurns) => {
    const { conversation: after, stored } = await storeTurns(context, conversation, added)
    conversation = after
    rows = [...rows, ...stored]
    turns = rows.map(pastTurn)
    await tellCall(context, conversation, rows)
  }

  const say = (token: string, last: boolean) => carrier.send({ type: 'text', token, last })

  /** Lets the agent answer the history, unless it is stopped. */
  function startAnswer(): void {
    const own: Answering = { stop: new AbortController(), sent: '', done: Promise.resolve() }
    answering = own
    own.done = makeAnswer(own)
      .catch((error: unknown) => {
        if (!(error instanceof ClaimLost)) services.log.error({ err: error, conversationId: conversation.id }, 'an answer failed')
        close()
      })
      .finally(() => {
        if (answering === own) answering = null
      })
  }

  async function makeAnswer(own: Answering): Promise<void> {
    silence.stop()
    const { speaker } = conversation
    const signal = AbortSignal.any([own.stop.signal, AbortSignal.timeout(answerMs)])
    try {
      if (turns.length >= maxTurns) return await end([ownTurn(sentences.goodbye.nothing)], { outcome: 'unknown', reason: 'turn_limit' })
      const holdId = await reserveAnswer(context, conversation.id, speaker, turns)
      conversation = { ...conversation, holdId }
      const made = await answer({
        ...{ thinker: services.thinker, speaker, turns, signal, now: context.now },
        tools: toolsOf(speaker),
        callTool: calling(speaker, { press: digits => carrier.send({ type: 'sendDigits', digits }) }),
        say(text) {
          own.sent += text
          say(text, false)
        },
      })
      say('', true)
      if (made.ending) await end(made.turns, made.ending)
      else {
        await store({ turns: made.turns, ended: null })
        silence.after(own.sent)
      }
    } catch (error) {
      if (error instanceof ClaimLost) throw error
      if (own.stop.signal.aborted) {
        // The words that were sent before the interruption; `cut` shortens them to those that were heard.
        const turn = { ...ownTurn(own.sent), memory: memoryOf(turns), wasInterrupted: true }
        if (own.sent.trim() !== '') await store({ turns: [turn], ended: null })
        else if (conversation.holdId !== null) await services.money.release(context, conversation.holdId)
        return
      }
      const { turns: apologies, ending } = apology(services, conversation, error)
      say(apologies.map(({ text }) => text).join(' '), true)
      if (ending) await end(apologies, ending)
    }
  }

  /** Ends the call after the words, which have been sent. */
  async function end(added: readonly NewTurn[], ending: Ending): Promise<void> {
    const asked = { speaker: conversation.speaker, turns: [...turns, ...added], tools: [], now: context.now() }
    const conclusion = await conclusionOf(services, { ...asked, signal: AbortSignal.timeout(answerMs) }, ending)
    await store({ turns: added, ended: { ending, conclusion } })
    await silence.spoken(added.map(({ text }) => text).join(' '))
    carrier.send({ type: 'end', handoffData: JSON.stringify({ reason: ending.reason }) })
    close()
  }

  /** Stops the answer that is being made. `heard`: the words that were heard; undefined if the carrier does not tell. */
  async function stopAnswer(heard: string | undefined): Promise<void> {
    const own = answering
    own?.stop.abort()
    await own?.done
    if (heard === undefined || isOver) return
    const last = turns.findLastIndex(({ role }) => role === 'agent')
    const said = turns[last]
    if (!said || turns.slice(last + 1).some(({ role }) => role === 'user')) return
    const text = heardUntil(said.text, heard)
    if (text === said.text) return
    rows = rows.map((row, index) => (index === last ? { ...row, text, wasInterrupted: true } : row))
    turns = rows.map(pastTurn)
    await shortenTurn(context, conversation, last + 1, text)
  }

  async function onWords(text: string): Promise<void> {
    if (text.trim() === '') return
    await stopAnswer(undefined)
    if (isOver) return
    await store({ turns: [{ role: 'user', text }], ended: null, isReleased: false })
    startAnswer()
  }

  async function onSilence(count: number): Promise<void> {
    if (answering) return
    const text = count === 1 ? sentences.stillThere : sentences.nobodyThere
    say(text, true)
    if (count > 1) return end([ownTurn(text)], { outcome: 'unknown', reason: 'silence' })
    await store({ turns: [{ ...ownTurn(text), memory: memoryOf(turns) }], ended: null })
    silence.after(text)
  }

  function onPrompt(text: string, isLast: boolean): void {
    silence.stop()
    if (!isLast) {
      partial += text
      return
    }
    const words = (partial + text).trim()
    partial = ''
    // "Mm-hm" while the agent speaks is not an answer.
    if (answering && answering.sent !== '' && sentences.backchannel.test(words.toLowerCase())) return
    // At once: the frames before it are stored first, and the answer must not speak meanwhile.
    answering?.stop.abort()
    void inOrder(() => onWords(words))
  }

  function onDigit(digit: string): void {
    silence.stop()
    digits += digit
    clearTimeout(digitTimer)
    const flush = () => {
      const pressed = digits
      digits = ''
      answering?.stop.abort()
      void inOrder(() => onWords(sentences.pressed(pressed)))
    }
    // Numbers end with # or a pause.
    if (digit === '#' || digits.length >= maxDigits) flush()
    else digitTimer = setTimeout(flush, digitPauseMs)
  }

  async function begin(): Promise<void> {
    rows = await turnsOfConversation(context, conversation.id)
    turns = rows.map(pastTurn)
    // After a lost socket the agent answers what it has not answered, or waits.
    if (turns.at(-1)?.role === 'agent') silence.after('')
    else startAnswer()
  }

  return {
    hear(frame) {
      // A carrier sets up first, and once.
      if (isOver || isBegun === (frame.type === 'setup')) return
      switch (frame.type) {
        case 'setup':
          isBegun = true
          return void inOrder(begin)
        case 'prompt':
          return onPrompt(frame.voicePrompt, frame.last)
        case 'dtmf':
          return onDigit(frame.digit)
        case 'interrupt':
          answering?.stop.abort()
          return void inOrder(() => stopAnswer(frame.utteranceUntilInterrupt))
        case 'info':
          if (frame.name === 'agentSpeaking' && frame.value === 'off') silence.onSpoken()
          else if (frame.name === 'clientSpeaking' && frame.value === 'on') silence.stop()
          return
        case 'error':
          services.log.warn({ conversationId: conversation.id, description: frame.description }, 'a carrier refused a message')
      }
    },
    async leave() {
      await stopAnswer(undefined)
      await tail
      isOver = true
      silence.stop()
      clearTimeout(digitTimer)
      return conversation
    },
    async handOver() {
      await stopAnswer(undefined)
      await tail
      close()
    },
  }
}

// The interviewer still waits for the answer to its last question.
const memoryOf = (turns: readonly PastTurn[]) => turns.findLast(({ role }) => role === 'agent')?.memory

// 20: longer than any number that one is asked for.
const maxDigits = 20
const digitPauseMs = 1500
