// Example bodies of conversations for the API reference. A test validates them against their schemas.

const noTool = { was_interrupted: false, tool_name: null, tool_input: null, tool_output: null }
const noTokens = { input_tokens: 0, output_tokens: 0, model: null }
const agentTurn = (seq: number, text: string, created_at: string) => ({
  ...{ seq, role: 'agent', text, ...noTool, latency_ms: 1, ...noTokens, created_at },
})
const userTurn = (seq: number, text: string, created_at: string) => ({
  ...{ seq, role: 'user', text, ...noTool, latency_ms: null, ...noTokens, created_at },
})

const greeting = agentTurn(1, 'Hello, this is the appointment desk. Do you have a minute?', '2026-05-31T23:57:25.000Z')
const begun = {
  id: '0199f0e0-4545-7000-8000-0000000000e1',
  agent_id: '0199f0e0-4444-7000-8000-0000000000c1',
  agent_version: 1,
  status: 'active',
  is_answering: false,
  turns: [greeting],
  outcome: null,
  ended_reason: null,
  summary: null,
  extracted: {},
  input_tokens: 0,
  output_tokens: 0,
  credits_charged: 0,
  created_by: { type: 'api_key', id: '0199f0e0-2222-7000-8000-0000000000a1', name: 'First key' },
  created_at: '2026-05-31T23:57:25.000Z',
  ended_at: null,
}
const answered = {
  ...begun,
  turns: [
    greeting,
    userTurn(2, 'Yes, go ahead.', '2026-05-31T23:57:30.000Z'),
    agentTurn(3, 'May I ask about this: job title?', '2026-05-31T23:57:30.100Z'),
  ],
}

export const conversationExamples = {
  newConversation: { agent_id: begun.agent_id, variables: { first_name: 'Ada' } },
  begun,
  newTurn: { text: 'Yes, go ahead.' },
  answered,
  ended: {
    ...answered,
    status: 'ended',
    outcome: 'goal_not_met',
    ended_reason: 'user_hung_up',
    summary: 'Yes, go ahead.',
    ended_at: '2026-05-31T23:57:40.000Z',
  },
}
