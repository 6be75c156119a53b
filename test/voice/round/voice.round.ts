// The round of conversations: how fast words go out, a hundred conversations at once, and a process that is killed in mid-sentence.
// `npm run round -- voice`; a short one has fewer conversations.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { atMost, type Figure, report } from '../../attack/report.ts'
import type { Json } from '../../support/app.ts'
import { openSocket, socketIn } from '../conversations/carrier.ts'
import { openStage } from './stage.ts'

const isShort = process.env.SHORT === '1'
const conversations = isShort ? 20 : 100
const turns = isShort ? 3 : 10

const stage = await openStage()
afterAll(() => stage.close())

const lastWords = (messages: readonly { role: string; content: string | null }[]) =>
  messages.findLast(({ role }) => role === 'user')?.content ?? ''
const percentile = (values: readonly number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

test(`${conversations} conversations at once: the words of the model go out as they come`, async () => {
  const server = await stage.server()
  const begun = new Map<string, number>()
  stage.model.behave(({ messages }) => {
    const words = lastWords(messages)
    return { text: `About ${words} I can say this much today.`, wordMs: 20, onFirstWord: () => begun.set(words, performance.now()) }
  })
  const agent = await stage.agent(server, { first_message: 'Hello!' })
  // What the first conversation loads and compiles is not memory of a conversation.
  const warmUp = await (await stage.answered(server, agent.id, '+442079400001')).connect()
  await warmUp.nextText()
  for (const words of ['a', 'b', 'c']) await warmUp.say(words)
  warmUp.close()
  const idle = (await server.monitor('/settled')).rssMb
  const calls = []
  for (let index = 0; index < conversations; index++) {
    calls.push(await stage.answered(server, agent.id, `+4420794${String(10_000 + index)}`))
  }
  const sockets = await Promise.all(calls.map(call => call.connect()))
  await Promise.all(sockets.map(socket => socket.nextText()))
  await server.monitor('/')

  const delays: number[] = []
  const loopDelays: number[] = []
  let isRunning = true
  const watching = (async () => {
    while (isRunning) {
      await sleep(100)
      loopDelays.push((await server.monitor('/')).maxDelayMs)
    }
  })()
  await Promise.all(
    sockets.map(async (socket, index) => {
      await sleep(Math.random() * 1000)
      for (let turn = 0; turn < turns; turn++) {
        const words = `topic-${index}-${turn}`
        const from = socket.frames.length
        const firstFrame = socket.frameAfter(from)
        const answer = socket.say(words)
        const at = await firstFrame
        expect(await answer).toBe(`About ${words} I can say this much today.`)
        delays.push(at - (begun.get(words) ?? Number.NaN))
        await sleep(Math.random() * 500)
      }
    }),
  )
  isRunning = false
  await watching
  const busy = (await server.monitor('/settled')).rssMb
  for (const socket of sockets) socket.close()
  await server.stop()

  const figures: Figure[] = [
    atMost('from the first word of the model to the carrier, p95', percentile(delays, 0.95), 50, 'ms'),
    atMost('the same, p50', percentile(delays, 0.5), 50, 'ms'),
    atMost('delay of the event loop, p99 of the longest in 100 ms', percentile(loopDelays, 0.99), 50, 'ms'),
    atMost('memory of a conversation', ((busy - idle) * 1000) / conversations, 1000, 'kB'),
  ]
  console.log(report(figures))
  expect(delays).toHaveLength(conversations * turns)
  expect(figures.filter(({ isGood }) => !isGood)).toEqual([])
})

test('a process that is killed in mid-sentence: another one continues within 5 s, no turn is lost or doubled', async () => {
  const first = await stage.server()
  const second = await stage.server()
  stage.model.behave(({ messages }) => ({ text: `About ${lastWords(messages)} I can say this much today.`, wordMs: 100 }))
  const agent = await stage.agent(first, { first_message: 'Hello!' })
  const call = await stage.answered(first, agent.id, '+442079460000')
  const socket = await call.connect()
  await socket.nextText()
  await socket.say('one')
  socket.send({ type: 'prompt', voicePrompt: 'two', last: true })
  // Two words of the answer.
  while (!socket.frames.some((frame: Json) => frame.token?.includes('two'))) await sleep(10)

  const killedAt = performance.now()
  await first.kill()
  await socket.closed
  const again = await openSocket(second.url, socketIn(await call.next(second)))
  // The answer is made anew, because its words were not stored before they were all said.
  expect(await again.nextText()).toBe('About two I can say this much today.')
  const resumedMs = performance.now() - killedAt
  await again.say('three')
  await sleep(500)
  const { transcript, credits_charged } = await second.ask('GET', `/api/voice/v1/calls/${call.id}`)
  again.close()
  await second.stop()

  console.log(report([atMost('from the kill to the whole answer of the other process', resumedMs, 5000, 'ms')]))
  expect(transcript.map(({ role, text }: { role: string; text: string }) => `${role}: ${text}`)).toEqual([
    'agent: Hello!',
    ...['one', 'two', 'three'].flatMap(words => [`user: ${words}`, `agent: About ${words} I can say this much today.`]),
  ])
  expect(credits_charged).toBeNull()
  expect(resumedMs).toBeLessThan(5000)
})
