// Walks through the screens of the app without loading the page again, and reads each when it has settled.

import type { Page, Request } from 'playwright-core'
import { problemOf, textsOf } from './unread.ts'

export interface Walk {
  /** Goes to the address and reads it: returns the texts there that are not for people. */
  read(address: string): Promise<string[]>
}

/** `name` begins each finding. */
export function walkOn(page: Page, name: string): Walk {
  const asked = new Set<Request>()
  page.on('request', request => {
    const isQuestion = request.url().endsWith('/graphql') && !request.headers().accept?.includes('event-stream')
    if (isQuestion || /\/assets\//.test(request.url())) asked.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const) page.on(end as 'requestfinished', request => void asked.delete(request))
  return {
    async read(address) {
      await page.evaluate(to => history.pushState({}, '', to), address)
      await settled(page, asked)
      const texts = await textsOf(page)
      const found = texts.flatMap(({ text, place }) => {
        const problem = problemOf(text)
        return problem === null ? [] : [`${name} ${address}, ${place}: ${problem} in "${text.slice(0, 160)}"`]
      })
      return [...new Set(found)]
    },
  }
}

const quietMs = 120

/** Waits until nothing is asked and nothing on the page has changed for a moment. At most five seconds: a stream may change a page for ever. */
async function settled(page: Page, asked: ReadonlySet<Request>): Promise<void> {
  const last = Date.now() + 5000
  let [before, since] = ['', Date.now()]
  while (Date.now() < last) {
    const now = await page.evaluate(
      () => `${location.href} ${document.body.innerText.length} ${document.body.querySelectorAll('*').length}`,
    )
    if (now !== before || asked.size > 0) [before, since] = [now, Date.now()]
    else if (Date.now() - since >= quietMs) return
    await page.waitForTimeout(40)
  }
}
