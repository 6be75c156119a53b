// Example bodies of hooks and of the identity provider for the API reference.

const runId = '01a201c4-b5ae-7099-9583-a210d449ca85'
const sessionKey = 'hook:62028eda-68d5-4a73-9c63-559fd040cad0'

export const doorExamples = {
  wake: { text: 'The nightly backup failed', mode: 'now' },
  woken: { ok: true, mode: 'now', eventId: '01a201c4-b54e-70f2-bfd0-3c51afb412e1', outcome: 'queued' },
  agent: { message: 'Summarize the contacts of this week', name: 'CRM', deliver: false },
  accepted: { ok: true, runId, sessionKey, status: 'accepted' },
  run: {
    ok: true,
    runId,
    sessionKey,
    name: 'CRM',
    status: 'completed',
    summary: 'Hook CRM: 48 new contacts, 12 of them qualified.',
    error: null,
    model: 'anthropic/claude-sonnet-4-5',
    usage: { inputTokens: 1840, outputTokens: 212, totalTokens: 2052, steps: 2 },
    delivery: { status: 'not_requested', channel: null, to: null, messageIds: [], reason: null },
    createdAt: '2026-05-31T23:57:24.480Z',
    startedAt: '2026-05-31T23:57:24.529Z',
    finishedAt: '2026-05-31T23:57:31.603Z',
  },
  signUp: { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada Lovelace' },
  signIn: { email: 'ada@example.com', password: 'correct horse battery' },
  signedUp: {
    token: 'GctXmJNWl4FmDFSGKDCqs1PWivbH0z0Z',
    user: {
      id: '01a201c4-c056-7730-8555-5e2809d2037e',
      email: 'ada@example.com',
      emailVerified: false,
      name: 'Ada Lovelace',
      image: null,
      createdAt: '2026-05-31T23:57:24.480Z',
      updatedAt: '2026-05-31T23:57:24.480Z',
    },
  },
  jwt: 'eyJhbGciOiJFUzI1NiIsImtpZCI6Ii4uLiJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl',
}
