// A telephony provider for tests: it records requests and returns the answers that the test sets.

import { readOwn, verifyOwn } from '../../src/voice/providers/signed-message.ts'
import type { CallNews, CallStatus, Dialled, DialOrder, Found, PlacedCall, Provider } from '../../src/voice/providers/telephony.ts'

export interface FakeProvider extends Provider {
  /** Every dial, in order. */
  placed: DialOrder[]
  hungUp: string[]
  messages: { callId: string; message: string }[]
  /** The result of a dial; default: accepted. */
  answer: (order: DialOrder) => Dialled | Promise<Dialled>
  /** The answer to a lookup; default: a placed call rings. */
  known: (call: PlacedCall) => Found
  canHangUp: boolean
}

export const providerIdOf = (callId: string) => `fake_${callId}`
export const found = (callId: string, status: CallStatus, news: CallNews = {}): Found => ({
  kind: 'found',
  news: { ...news, providerCallId: providerIdOf(callId), status },
})

export function fakeProvider(traits: Partial<Pick<Provider, 'dialsOnce' | 'handlesVoicemail'>> = {}): FakeProvider {
  const provider: FakeProvider = {
    dialsOnce: true,
    handlesVoicemail: false,
    ...traits,
    placed: [],
    hungUp: [],
    messages: [],
    canHangUp: true,
    answer: ({ callId }) => ({ kind: 'accepted', providerCallId: providerIdOf(callId) }),
    known: ({ callId }) => (provider.placed.some(order => order.callId === callId) ? found(callId, 'ringing') : { kind: 'absent' }),
    provision: async ({ id }) => ({ providerAssistantId: `fake_${id}` }),
    async dial(order) {
      provider.placed.push(order)
      return provider.answer(order)
    },
    lookup: async call => provider.known(call),
    async hangUp({ callId }) {
      if (provider.canHangUp) provider.hungUp.push(callId)
      return provider.canHangUp
    },
    async leaveMessage({ callId }, message) {
      provider.messages.push({ callId, message })
      return true
    },
    proofOf: () => 'signature',
    verify: verifyOwn,
    read: readOwn,
  }
  return provider
}
