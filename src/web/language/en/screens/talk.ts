// Words of a conversation in writing with a voice agent.

import { room } from '../../language.ts'

export const talkWords = room('talk', {
  title: 'Talk to it',
  sentence: 'Write as the person whom it calls. No phone rings, and neither contacts nor statistics know of it.',
  start: 'Start talking',
  again: 'Talk again',
  leave: 'Hang up',
  conversation: 'Conversation',
  you: 'You',
  words: 'Your words',
  say: 'Say something',
  send: 'Send',
  thinking: 'It is thinking',
  seconds: (seconds: string) => `${seconds} s`,
  token: { one: 'token', other: 'tokens' },
  used: (tool: string, seconds: string) => `Used ${tool}, ${seconds} s`,
  interviewer: 'No model is configured, so an interviewer asks for the values of the form, and reads them back.',
  changed: 'The agent was saved since. Talk again to hear the change.',
  result: 'Result',
  nothing: 'It has found out nothing.',
  cost: (credits: string) => `It cost ${credits}`,
})
