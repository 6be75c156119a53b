// Logging in from an agent: the MCP SDK's client asks, the page names it and what it may do, and the settings end it.

import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { callback, type Remembered, remembering } from '../../../identity/oauth/given.ts'
import type { Fixture } from '../../support/fixture.ts'
import { tell } from '../../support/story.ts'

/** The page that the client opens in the browser, and the transport that goes on with its answer. */
async function asking({ server }: Fixture, provider: Remembered) {
  const transport = new StreamableHTTPClientTransport(new URL(`${server().url}/mcp`), { authProvider: provider })
  await assert.rejects(new Client({ name: 'story', version: '1.0.0' }).connect(transport), UnauthorizedError)
  assert(provider.opened)
  const { pathname, search } = provider.opened
  return { address: pathname + search, transport }
}

tell({
  'an agent asks to act for somebody, who signs in, agrees to a part of it, and disconnects it': async (fixture, look) => {
    const ada = await fixture.person()
    const provider = remembering()
    const { address, transport } = await asking(fixture, provider)
    const page = await fixture.open(address)
    await page.waitForURL('**/sign-in?back=*')
    await page.getByLabel('Email').fill(ada.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(ada.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()

    await page.getByRole('heading', { name: 'Let Test Agent act for you?' }).waitFor()
    await page.getByText('127.0.0.1:4711').waitFor()
    await page.getByText(ada.email).waitFor()
    await page.getByRole('checkbox', { name: 'Place calls' }).click()
    await look(page, 'an agent asks')
    const sent = page.waitForRequest(request => request.url().startsWith(callback))
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await transport.finishAuth(new URL((await sent).url()).searchParams)

    const client = new Client({ name: 'story', version: '1.0.0' })
    const open = new StreamableHTTPClientTransport(new URL(`${fixture.server().url}/mcp`), { authProvider: provider })
    await client.connect(open)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.deepEqual([names.includes('create_contact'), names.includes('place_call')], [true, false])

    const settings = await fixture.tab(page, '/settings/sessions')
    await settings.getByRole('button', { name: 'Disconnect Test Agent' }).waitFor()
    await look(settings, 'connected applications')
    await settings.getByRole('button', { name: 'Disconnect Test Agent' }).click()
    await settings.getByRole('heading', { name: 'Connected applications' }).waitFor({ state: 'detached' })
    await assert.rejects(client.listTools(), UnauthorizedError)
    await client.close()
  },

  'who refuses an agent sends it back with nothing, and a forged request leads nowhere': async (fixture, look) => {
    const ada = await fixture.person()
    const { address } = await asking(fixture, remembering())
    const page = await fixture.open(address, { as: ada })
    await page.getByRole('heading', { name: 'Let Test Agent act for you?' }).waitFor()
    const sent = page.waitForRequest(request => request.url().startsWith(callback))
    await page.getByRole('button', { name: 'Do not allow' }).click()
    const { searchParams } = new URL((await sent).url())
    assert.deepEqual(
      [searchParams.get('error'), searchParams.get('state'), searchParams.has('code')],
      ['access_denied', 'the state', false],
    )

    const forged = new URL(address, fixture.server().url)
    forged.searchParams.set('redirect_uri', 'https://evil.example/callback')
    const other = await fixture.open(forged.pathname + forged.search, { as: ada })
    await other.getByRole('heading', { name: 'This request cannot be answered' }).waitFor()
    await other.getByText('the client has not registered it').first().waitFor()
    assert.equal(await other.getByRole('button', { name: 'Allow', exact: true }).count(), 0)
    await look(other, 'a forged request')
    // No other page may show this one in a frame, and make people click on it.
    const { headers } = await fetch(fixture.server().url + address, { headers: { accept: 'text/html' } })
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
  },
})
