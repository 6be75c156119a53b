// The endpoints of conversations with voice agents.

import {
  EndConversationDocument,
  GetConversationDocument,
  SayInConversationDocument,
  StartConversationDocument,
} from '../../../generated/operations.ts'
import { derivedRoute } from '../../router/derived.ts'
import { developers, type Route, route } from '../../router/route.ts'
import { conversationExamples as examples } from './conversation-examples.ts'

const conversations = '/api/voice/v1/conversations'
const conversation = `${conversations}/{conversation_id}` as const
const aConversation = { role: 'api', tag: 'Voice agents', callers: developers } as const
const noCredits = 'the account cannot pay for the tokens of the longest answer; nothing was asked'

export const conversationRoutes: readonly Route[] = [
  derivedRoute('POST', conversations, StartConversationDocument, {
    ...aConversation,
    summary: 'Talk to a voice agent in writing',
    description:
      'Tries an agent: it greets, and answers each `POST .../turns`. No phone rings, and neither contacts nor statistics know of it. With a ' +
      'model configured the model speaks; without one an interviewer asks for the values of `extraction`. Only tokens of a model cost credits.',
    scope: 'calls:write',
    takes: { name: 'NewConversation' },
    status: 201,
    location: `${conversations}/{id}`,
    errors: { CONFLICT: 'the agent is archived', INSUFFICIENT_CREDITS: noCredits },
    examples: { body: examples.newConversation, answer: examples.begun },
  }),
  route('GET', conversation, GetConversationDocument, {
    ...aConversation,
    summary: 'Get a conversation',
    description: 'All that was said, with the time and tokens of each turn, and once it is over its result.',
    scope: 'calls:read',
    examples: { answer: examples.ended },
  }),
  derivedRoute('POST', `${conversation}/turns`, SayInConversationDocument, {
    ...aConversation,
    summary: 'Say something to the agent',
    description:
      'Answers when the agent has answered, within a minute. If no model answers, the agent apologizes, and the conversation ends.',
    scope: 'calls:write',
    takes: { name: 'NewConversationTurn' },
    errors: { CONFLICT: 'the conversation is over, or the agent still answers', INSUFFICIENT_CREDITS: noCredits },
    examples: { body: examples.newTurn, answer: examples.answered },
  }),
  route('POST', `${conversation}/end`, EndConversationDocument, {
    ...aConversation,
    summary: 'End a conversation',
    description: 'Reads its result from the history. Ending it again changes nothing.',
    scope: 'calls:write',
    errors: { CONFLICT: 'the agent still answers', INSUFFICIENT_CREDITS: noCredits },
    examples: { answer: examples.ended },
  }),
]
