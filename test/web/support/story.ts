// A story: what somebody does in the web app, step by step. The built app runs in Chromium, on a real server and database.
//
//   npm run round -- web                       needs Debian's chromium-headless-shell or chromium, or CHROMIUM
//   npm run round -- web -t "signs up"         only stories with this text in their name
//   SHOTS=folder npm run round -- web          also saves pictures of what they look at
//
// A story fails by what it asserts, by an error in the console or a report of the Content-Security-Policy, and by what axe finds.

import { join } from 'node:path'
import { test as base, expect } from 'vitest'
import { launchBrowser, noBrowser } from './browser.ts'
import { type Fixture, startFixture } from './fixture.ts'
import { createLook, type Look } from './look.ts'

export type Story = (fixture: Fixture, look: Look) => Promise<void>

// A server and a browser for each worker, shared by the files that it runs.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that it needs from the pattern.
const test = base.extend('runner', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const browser = await launchBrowser()
  const runner = await startFixture(browser, {
    OUTGOING_ALLOW_PRIVATE: '127.0.0.1',
    VOICE_PRICE_PER_MINUTE: '1',
    GATEWAY_CONFIG: join(import.meta.dirname, 'gateway.json5'),
  })
  onCleanup(async () => {
    await browser.close()
    await runner.stop()
  })
  return runner
})

const look = createLook(process.env.SHOTS)

/** Stories by name: a sentence that says what must hold. Each is a test. */
export function tell(stories: Readonly<Record<string, Story>>): void {
  for (const [name, story] of Object.entries(stories)) {
    if (noBrowser) base(name, ({ skip }) => skip(noBrowser))
    else
      test(name, async ({ runner: { fixture, settle } }) => {
        const outcome = await story(fixture, look).then(
          () => ({}),
          (error: unknown) => ({ error }),
        )
        const errors = await settle()
        if (errors.length > 0) console.error(errors.join('\n'))
        if ('error' in outcome) throw outcome.error
        expect(errors, 'the pages report no error').toEqual([])
      })
  }
}
