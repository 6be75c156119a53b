// A telephone company in the test's hands: it notes what it is asked, and answers what the test says.

import { readOwn, verifyOwn } from '../../src/voice/telephony/own-message.ts'
import type { CallNews, CallStatus, Dialled, DialOrder, Found, PlacedCall, Provider } from '../../src/voice/telephony.ts'

export interface FakeCompany extends Provider {
  /** Every dial, in order. */
  placed: DialOrder[]
  hungUp: string[]
  messages: { callId: string; message: string }[]
  /** What a dial comes to; default: accepted. */
  answer: (order: DialOrder) => Dialled | Promise<Dialled>
  /** What the company knows of a call; default: that it was placed and rings. */
  known: (call: PlacedCall) => Found
  canHangUp: boolean
}

export const providerIdOf = (callId: string) => `fake_${callId}`
export const found = (callId: string, status: CallStatus, news: CallNews = {}): Found => ({
  kind: 'found',
  news: { ...news, providerCallId: providerIdOf(callId), status },
})

export function fakeCompany(traits: Partial<Pick<Provider, 'dialsOnce' | 'handlesVoicemail'>> = {}): FakeCompany {
  const company: FakeCompany = {
    dialsOnce: true,
    handlesVoicemail: false,
    ...traits,
    placed: [],
    hungUp: [],
    messages: [],
    canHangUp: true,
    answer: ({ callId }) => ({ kind: 'accepted', providerCallId: providerIdOf(callId) }),
    known: ({ callId }) => (company.placed.some(order => order.callId === callId) ? found(callId, 'ringing') : { kind: 'absent' }),
    provision: async ({ id }) => ({ providerAssistantId: `fake_${id}` }),
    async dial(order) {
      company.placed.push(order)
      return company.answer(order)
    },
    lookup: async call => company.known(call),
    async hangUp({ callId }) {
      if (company.canHangUp) company.hungUp.push(callId)
      return company.canHangUp
    },
    async leaveMessage({ callId }, message) {
      company.messages.push({ callId, message })
      return true
    },
    verify: verifyOwn,
    read: readOwn,
  }
  return company
}
