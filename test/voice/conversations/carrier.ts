// A carrier on loopback that speaks ConversationRelay, as Twilio does: opens the socket that the TwiML of a call names, and records what it
// is sent.

import { setTimeout as sleep } from 'node:timers/promises'
import twilioSdk from 'twilio'
import { WebSocket } from 'ws'
import type { Json } from '../../support/app.ts'
import { authToken } from '../providers/messages.ts'

export interface CarrierSocket {
  /** The frames that came, in their order. */
  frames: Json[]
  /** The texts of the agent, one for each answer. */
  texts(): string[]
  send(frame: object | string): void
  /** Says something, and resolves with the agent's answer. */
  say(text: string): Promise<string>
  /** Resolves with the next whole text of the agent. */
  nextText(): Promise<string>
  /** Resolves with the time of the first text that comes after so many frames. */
  frameAfter(count: number): Promise<number>
  /** Resolves with the code with which the socket was closed. */
  closed: Promise<number>
  close(): void
  isOpen(): boolean
}

/** The address of the socket in TwiML. */
export const socketIn = (twiml: string): string => /<ConversationRelay url="([^"]+)"/.exec(twiml)?.[1] ?? ''
/** The address that the carrier asks after the socket has closed. */
export const actionIn = (twiml: string): string => (/<Connect action="([^"]+)"/.exec(twiml)?.[1] ?? '').replaceAll('&#38;', '&')

/**
 * Opens a socket on the server at `serverUrl`. `address`: the public address, which Twilio signs. Rejects with the HTTP status when the server
 * refuses it.
 */
export function openSocket(
  serverUrl: string,
  address: string,
  { signature, setup = {} }: { signature?: string; setup?: object | null } = {},
) {
  const { pathname } = new URL(address)
  const signed = signature ?? twilioSdk.getExpectedTwilioSignature(authToken, address, {})
  const socket = new WebSocket(`${serverUrl.replace(/^http/, 'ws')}${pathname}`, { headers: { 'x-twilio-signature': signed } })
  const frames: Json[] = []
  const closed = new Promise<number>(resolve => socket.on('close', resolve))
  const texts = () => {
    const whole: string[] = []
    let text = ''
    for (const frame of frames) {
      if (frame.type !== 'text') continue
      text += frame.token
      if (!frame.last) continue
      if (text !== '') whole.push(text)
      text = ''
    }
    return whole
  }
  let seen = 0
  const carrier: CarrierSocket = {
    frames,
    texts,
    closed,
    send: frame => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    async nextText() {
      for (let waited = 0; waited < 10_000; waited += 10) {
        const text = texts()[seen]
        if (text !== undefined) {
          seen++
          return text
        }
        await sleep(10)
      }
      throw new Error(`the agent said nothing; it was sent ${JSON.stringify(frames)}`)
    },
    frameAfter: count =>
      new Promise(resolve => {
        const onMessage = () => {
          if (frames.length <= count) return
          socket.off('message', onMessage)
          resolve(performance.now())
        }
        socket.on('message', onMessage)
      }),
    async say(text) {
      carrier.send({ type: 'prompt', voicePrompt: text, lang: 'en-US', last: true })
      return carrier.nextText()
    },
    close: () => socket.terminate(),
    isOpen: () => socket.readyState === WebSocket.OPEN,
  }
  return new Promise<CarrierSocket>((resolve, reject) => {
    socket.on('message', data => {
      const frame = JSON.parse(String(data))
      frames.push(frame)
      // Twilio plays at once here, so that no test waits for speech.
      if (frame.type === 'text' && frame.last) setTimeout(() => socket.readyState === WebSocket.OPEN && carrier.send(spoken), 20)
    })
    socket.on('open', () => {
      if (setup) carrier.send({ type: 'setup', sessionId: 'VX1', callSid: 'CA1', direction: 'outbound-api', ...setup })
      resolve(carrier)
    })
    socket.on('unexpected-response', (_req, res) => reject(new Error(`refused with ${res.statusCode}`)))
    socket.on('error', reject)
  })
}

const spoken = { type: 'info', name: 'agentSpeaking', value: 'off' }
