// A widget of the dashboard inside a page of another origin.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tell } from '../../support/story.ts'

/** A page of somebody else that frames an address. Another port is another origin. */
async function framing(address: string) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><html lang="en"><title>Intranet</title><h1>Intranet</h1><iframe title="Widget" src="${address}"></iframe>`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

tell({
  'a widget stands in a page of a listed origin until its key is revoked, and in no other page': async ({
    open,
    person,
    ask,
    expects,
    server,
  }) => {
    const owner = await person()
    const { dashboardWidgets } = await ask<{ dashboardWidgets: { id: string; kind: string }[] }>(owner, '{ dashboardWidgets { id kind } }')
    const widget = dashboardWidgets.find(({ kind }) => kind === 'RECENT_CONTACTS')
    if (!widget) throw new Error('a new dashboard lists recent contacts')
    const { createWidgetKey } = await ask<{ createWidgetKey: { key: string; widgetKey: { id: string } } }>(
      owner,
      'mutation ($id: ID!) { createWidgetKey(input: { widgetId: $id, label: "Intranet" }) { key widgetKey { id } } }',
      { id: widget.id },
    )
    const intranet = await framing(`${server().url}/widgets/${widget.id}#key=${createWidgetKey.key}`)
    try {
      const page = await open('/')
      expects(page, /frame-ancestors/)
      const framed = page.frameLocator('iframe[title="Widget"]')
      // Nothing is listed as yet: the browser refuses, and says so.
      const refusal = page.waitForEvent('console', { predicate: message => message.text().includes('frame-ancestors') })
      await page.goto(intranet.origin)
      await refusal
      await framed.getByRole('heading', { name: 'Recent contacts' }).waitFor({ state: 'detached' })

      await ask(owner, 'mutation ($origins: [String!]!) { setEmbedOrigins(input: { origins: $origins }) { id } }', {
        origins: [intranet.origin],
      })
      await page.goto(intranet.origin)
      await framed.getByRole('heading', { name: 'Recent contacts' }).waitFor()

      await ask(owner, 'mutation ($id: ID!) { revokeWidgetKey(input: { id: $id }) { id } }', { id: createWidgetKey.widgetKey.id })
      await page.goto(intranet.origin)
      await framed.getByText('The key of this widget may be revoked').waitFor()
    } finally {
      await intranet.close()
    }
  },
})
