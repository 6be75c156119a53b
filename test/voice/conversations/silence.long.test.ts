// Silence in the conversation of a call.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTwilio } from '../providers/twilio/twilio.ts'
import { openSocket, socketIn } from './carrier.ts'

const { provider, app, fixture, callback, status } = await openTwilio()

test('after a silence the agent asks once, then says goodbye', async () => {
  const { call, read } = await fixture({ first_message: 'Hello!' })
  const { id } = await call()
  const socket = await openSocket(app.url, socketIn(provider.to('POST', '/Calls.json').at(-1)?.form.get('Twiml') ?? ''))
  await callback(id, status('in-progress', '2'))
  // VOICE_SILENCE_SECONDS is 8.
  for (let waited = 0; waited < 25_000 && socket.texts().length < 3; waited += 50) await sleep(50)
  expect(socket.texts()).toEqual(['Hello!', 'Are you still there?', 'I cannot hear you. We will try again another time. Goodbye!'])
  await socket.closed
  await callback(id, status('completed', '3', { CallDuration: '20' }))

  expect(await read(id)).toMatchObject({ ended_reason: 'silence' })
})
