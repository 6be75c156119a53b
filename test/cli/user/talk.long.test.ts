// rolocom agents talk: a conversation in a pipe, and at a terminal.

import { afterAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { hasTerminal } from '../../tour/terminal.ts'
import { givenCallFixture } from '../../voice/call-fixture.ts'
import { newUser } from './rolocom.ts'

const app = await openApp()
const extraction = { job_title: { type: 'string', title: 'Job title' } }
const { key, agent } = await givenCallFixture(app, {
  name: 'Front desk',
  extraction,
  first_message: 'Hello {{first_name}}, do you have a minute?',
})
const user = newUser({ ROLOCOM_URL: app.url, ROLOCOM_API_KEY: key })
afterAll(() => user.leave())

const parsed = (out: string) =>
  out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

test('in a pipe each line is a turn; turns and the conversation come as lines of JSON', async () => {
  const { status, out, err } = await user.run(['agents', 'talk', 'front DESK', '--variable', 'first_name=Ada'], {
    input: 'Yes\n\nHead of Sales\nThat is right\nToo late\n',
  })
  const lines = parsed(out)

  expect([status, err]).toEqual([0, ''])
  expect(lines.slice(0, -1).map(({ role, text }) => `${role}: ${text}`)).toEqual([
    'agent: Hello Ada, do you have a minute?',
    'user: Yes',
    'agent: May I ask about this: Job title?',
    'user: Head of Sales',
    'agent: Let me read that back: Job title: Head of Sales. Is that right?',
    'user: That is right',
    'agent: Thank you, that is all I wanted to know. Goodbye!',
  ])
  expect(lines.at(-1)).toMatchObject({ status: 'ended', outcome: 'goal_met', extracted: { job_title: 'Head of Sales' } })
})

test('the end of the input leaves the conversation', async () => {
  const { status, out } = await user.run(['agents', 'talk', agent.id], { input: `${'a'.repeat(5000)}\nYes` })

  expect([status, parsed(out).at(-1)]).toEqual([0, expect.objectContaining({ status: 'ended', ended_reason: 'user_hung_up' })])
})

test('an unknown name says where the names are, with 2', async () => {
  const outcome = await user.run(['agents', 'talk', 'Nobody'])

  expect(outcome).toEqual({ status: 2, out: '', err: expect.stringContaining('rolocom agents list') })
  expect(parsed((await user.run(['agents', 'list'])).out.replaceAll('\n', ''))[0]).toMatchObject([{ id: agent.id, name: 'Front desk' }])
})

test.skipIf(!hasTerminal)('at a terminal a person types, and sees what each turn took and the result', async () => {
  const terminal = user.open(['agents', 'talk', 'Front desk'])
  await terminal.see(/Agent: Hello Robin, do you have a minute\? \(\d\.\d s\)/)
  await terminal.see(/You: $/)
  terminal.type('Yes\r')
  await terminal.see(/Agent: May I ask about this: Job title\?/)
  terminal.type('Head of Sales\r')
  await terminal.see(/Is that right\?/)
  terminal.type('\u0004')

  expect(await terminal.ended).toBe(0)
  expect(terminal.shown()).toMatch(/ended\s+user_hung_up/)
})
