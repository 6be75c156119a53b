// TwiML: what Twilio does with a call.

import { withRegion } from '../agents/language.ts'
import type { AgentSetup } from './telephony.ts'

type Voice = Pick<AgentSetup, 'language' | 'voice'>

/** Says a text. */
export function say({ language, voice }: Voice, text: string): string {
  const given = { ...(language !== null && { language: withRegion(language) }), ...(voice !== null && { voice }) }
  return `<Say${attributes(given)}>${xml(text)}</Say>`
}

export const hangUp = '<Response><Hangup/></Response>'

/** Connects the call to another number. `fromNumber`: the number that is shown there; null for the number of the call. */
export function transfer({ toNumber, fromNumber }: { toNumber: string; fromNumber: string | null }): string {
  return `<Response><Dial${attributes(fromNumber === null ? {} : { callerId: fromNumber })}>${xml(toNumber)}</Dial></Response>`
}

/** Connects the call to the socket of its conversation. When the socket has closed, Twilio asks the address `nextStep`. */
export function connectRelay({ agent, relayUrl, nextStep }: { agent: Voice; relayUrl: string; nextStep: string }): string {
  const { language } = agent
  const given = {
    url: relayUrl,
    ...(language !== null && { language: withRegion(language) }),
    ...speechOf(agent),
    ...{ interruptible: 'any', ignoreBackchannel: 'true', dtmfDetection: 'true', events: 'speaker-events' },
  }
  return `<Response><Connect action="${xml(nextStep)}"><ConversationRelay${attributes(given)}/></Connect></Response>`
}

// `Polly.Vicki-Neural` of <Say> is the voice `Vicki-Neural` of Amazon here.
const speechProviders: Readonly<Record<string, string>> = { Polly: 'Amazon', Google: 'Google' }

function speechOf({ voice }: Voice): Record<string, string> {
  const [, provider = '', name = ''] = /^([A-Za-z]+)\.(.+)$/.exec(voice ?? '') ?? []
  const ttsProvider = Object.hasOwn(speechProviders, provider) ? speechProviders[provider] : undefined
  return ttsProvider === undefined ? {} : { ttsProvider, voice: name }
}

const attributes = (given: Readonly<Record<string, string>>) =>
  Object.entries(given)
    .map(([name, value]) => ` ${name}="${xml(value)}"`)
    .join('')

const xml = (text: string) => text.replace(/[<>&'"]/g, character => `&#${character.charCodeAt(0)};`)
