// What happens to open pages when the server goes away, and with many of them at once.

import type { Page } from 'playwright-core'
import { tell } from '../../support/story.ts'

const create = `mutation ($email: String!) { createContact(input: { email: $email, firstName: "From", lastName: "Outside" }) { id } }`

tell({
  'a server that is killed and comes back: the page says so, and is current again': async ({ open, person, ask, restart, expects }) => {
    const owner = await person()
    const page = await open('/contacts', { as: owner })
    expects(page, /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|Failed to load resource/)
    await page.getByText('The people you call and write to are listed here.').waitFor()
    await restart({ kill: true })
    await ask(owner, create, { email: 'after@example.com' })
    await page.getByText('From Outside').waitFor({ timeout: 60_000 })
  },

  'what changes before the stream is open is seen all the same': async ({ open, person, ask }) => {
    const owner = await person()
    const { promise: mayOpen, resolve: openStream } = Promise.withResolvers<void>()
    const holdStream = async (page: Page) => {
      await page.route('**/graphql', async route => {
        if (route.request().headers().accept === 'text/event-stream') await mayOpen
        await route.fallback()
      })
    }
    const page = await open('/contacts', { as: owner, prepare: holdStream })
    await page.getByText('The people you call and write to are listed here.').waitFor()
    await ask(owner, create, { email: 'early@example.com' })
    openStream()
    await page.getByText('From Outside').waitFor()
  },

  'eight tabs at once: a change reaches all, over one stream': async ({ open, tab, person, ask, server }) => {
    const owner = await person()
    const first = await open('/contacts', { as: owner })
    const pages = [first]
    while (pages.length < 8) pages.push(await tab(first, '/contacts'))
    for (const page of pages) await page.getByText('The people you call and write to are listed here.').waitFor()
    await ask(owner, create, { email: 'seen@example.com' })
    for (const page of pages) await page.getByText('From Outside').waitFor()
    const metrics = await (await fetch(`${server().url}/metrics`)).text()
    const streams = Number(/^rolocom_listeners (\d+)$/m.exec(metrics)?.[1])
    if (streams !== 1) throw new Error(`${streams} streams are open`)
  },
})
