// User stories of the pages, step by step.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Server } from '../crash/server.ts'
import { violations } from './axe.ts'

type Story = (page: Page, server: Server) => Promise<void>

// In a short round only light: `looks right` checks each page in both.
const schemes = process.env.SHORT === '1' ? (['light'] as const) : (['light', 'dark'] as const)

export const stories: readonly (readonly [string, Story])[] = [
  ['/docs lists contacts with a pasted API key', listsWithKey],
  ['/docs shows the credentials of users, not those of backends', showsUserCredentials],
  ['/docs refuses an API key as guest id', refusesKeyAsGuest],
  ['/docs creates the example twice', createsTwice],
  ...schemes.map((scheme): [string, Story] => [
    `/docs has no accessibility violations while it is used, ${scheme}`,
    (page, server) => hasNoViolations(page, server, scheme),
  ]),
  ['/graphql executes the default query', runs],
  ['/docs and /graphql fit a phone while they are used', fitsPhone],
]

async function listsWithKey(page: Page, server: Server): Promise<void> {
  await page.goto(`${server.url}/docs`)
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Authorize' })
  await dialog.waitFor()
  // The key field has the focus, so that a key can be pasted at once.
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'credential-api_key')
  assert.equal(await page.evaluate(() => document.querySelector('.modal-ux-content')?.scrollTop), 0)
  await page.keyboard.insertText(` Bearer ${server.key} `)
  await page.keyboard.press('Enter')
  await dialog.getByText('Sent with every request').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const { status, sent } = await executed(page, 'listContacts')
  assert.equal(status, 200)
  assert.equal(sent.authorization, `Bearer ${server.key}`)
  assert.equal(sent['x-guest-id'], undefined)
}

async function showsUserCredentials(page: Page, server: Server): Promise<void> {
  await page.goto(`${server.url}/docs`)
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  const labels = await page.getByRole('dialog').locator('label').allTextContents()
  assert.deepEqual(labels, [
    'API key Authorization: Bearer',
    'Session token Authorization: Bearer',
    'Guest id X-Guest-ID',
    "Identity provider's session Authorization: Bearer",
    "Identity provider's token Authorization: Bearer",
  ])
  // The focus stays in the dialog, at both ends.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null), true)
}

async function refusesKeyAsGuest(page: Page, server: Server): Promise<void> {
  await authorize(page, server, 'Guest id', server.key)
  const { status, answer } = await executed(page, 'listContacts')
  assert.equal(status, 401)
  assert.match(answer, /Authorization: Bearer/)
}

async function createsTwice(page: Page, server: Server): Promise<void> {
  await authorize(page, server, 'API key', server.key)
  const first = await executed(page, 'createContact')
  const second = await executed(page, 'createContact')
  assert.deepEqual([first.status, second.status], [201, 201])
}

async function hasNoViolations(page: Page, server: Server, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.goto(`${server.url}/docs`)
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  assert.deepEqual(await violations(page), [])
  await page.keyboard.press('Escape')
  await authorize(page, server, 'API key', server.key)
  await executed(page, 'createContact')
  assert.deepEqual(await violations(page), [])
}

async function runs(page: Page, server: Server): Promise<void> {
  await page.goto(`${server.url}/graphql`)
  const button = page.locator('.graphiql-execute-button')
  await button.waitFor()
  const [response] = await Promise.all([
    page.waitForResponse(response => response.request().postData()?.includes('query Contacts') ?? false),
    button.click(),
  ])
  const { data, errors } = (await response.json()) as { data: { contacts: { nodes: unknown[] } }; errors?: unknown }
  assert.equal(errors, undefined)
  assert.equal(data.contacts.nodes.length, 10)
  await page.locator('.graphiql-response').getByText('lifecycleStage').first().waitFor()
}

async function fitsPhone(page: Page, server: Server): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  await authorize(page, server, 'API key', server.key)
  await executed(page, 'createContact')
  assert.deepEqual(await tooWide(page), [])
  await runs(page, server)
  assert.deepEqual(await tooWide(page), [])
  const answer = await page.locator('.graphiql-response').boundingBox()
  assert.ok(answer && answer.width > 250 && answer.height > 200, 'the answer has room')
}

async function authorize(page: Page, server: Server, label: string, value: string): Promise<void> {
  await page.goto(`${server.url}/docs`)
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  await page.getByRole('dialog').getByLabel(label).fill(value)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
}

/** Opens an operation, unless it is open, and executes it with the values in its fields. */
async function executed(page: Page, operationId: string) {
  const operation: Locator = page.locator(`[id$="-${operationId}"]`)
  const summary = operation.locator('.opblock-summary-control')
  if ((await summary.getAttribute('aria-expanded')) === 'false') await summary.click()
  const [response] = await Promise.all([
    page.waitForResponse(response => response.url().includes('/api/')),
    operation.getByRole('button', { name: 'Execute' }).click(),
  ])
  await operation.locator('.live-responses-table').waitFor()
  return { status: response.status(), sent: await response.request().allHeaders(), answer: await response.text() }
}

// The elements that extend beyond the window, if the page scrolls horizontally.
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const all = [...document.body.querySelectorAll('*')].filter(element => element.getBoundingClientRect().right > clientWidth)
    return all.map(element => `${element.tagName}.${element.className}`)
  })
