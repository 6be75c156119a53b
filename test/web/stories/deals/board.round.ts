// The board of deals: cards dragged by pointer, by touch and by keys, won and lost; two people at once; two thousand deals.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import type { Fixture, Person } from '../../support/fixture.ts'
import { tell } from '../../support/story.ts'

const createDeal = 'mutation ($input: CreateDealInput!) { createDeal(input: $input) { id } }'
const moveDeal = 'mutation ($input: MoveDealInput!) { moveDeal(input: $input) { id } }'
const setReasons = 'mutation ($input: DealSettingsInput!) { updateDealSettings(input: $input) { lostReasons } }'
const readDeal = 'query ($id: ID!) { deal(id: $id) { lostReason stage { name } } }'

type Ask = Fixture['ask']

async function seller({ person, ask }: Pick<Fixture, 'person' | 'ask'>) {
  const owner = await person()
  const { pipelines } = await ask<{ pipelines: { id: string; stages: { id: string; name: string }[] }[] }>(
    owner,
    '{ pipelines { id stages { id name } } }',
  )
  const stages = new Map(pipelines[0]?.stages.map(({ id, name }) => [name, id] as const))
  const add = async (title: string, stage = 'Lead', input: object = {}) =>
    (await ask<{ createDeal: { id: string } }>(owner, createDeal, { input: { title, stageId: stages.get(stage), ...input } })).createDeal.id
  return { owner, stages, add }
}

const columnOf = (page: Page, stage: string) => page.getByRole('region', { name: new RegExp(`^${stage}, `) })
const cardOf = (where: Page | Locator, title: string) => where.getByRole('link', { name: new RegExp(`^${title}`) })
const titlesIn = async (page: Page, stage: string) =>
  (await columnOf(page, stage).getByRole('link').allInnerTexts()).map(text => text.split('\n')[0])
const stageOf = async (ask: Ask, owner: Person, id: string) =>
  (await ask<{ deal: { lostReason: string | null; stage: { name: string } } }>(owner, readDeal, { id })).deal

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  assert.ok(box, 'it is in sight')
  return box
}

/** Drags the card into the upper half of the target. */
async function drag(page: Page, card: Locator, target: Locator) {
  const from = await boxOf(card)
  const to = await boxOf(target)
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 12, from.y + from.height / 2 + 12, { steps: 3 })
  await page.mouse.move(to.x + to.width / 2, to.y + Math.min(to.height / 4, 60), { steps: 12 })
  await page.waitForTimeout(100)
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  tdur?: number
  args?: { name?: string }
}

/** The longest task of the page's main thread while something is done, in milliseconds of its own time: a busy machine delays tasks. */
async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  assert.ok(browser)
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
  await work()
  await page.waitForTimeout(1000)
  const { traceEvents: events } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && main.has(`${pid} ${tid}`))
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000))
}

tell({
  'cards are dragged to another column, to another place, and are won and lost for a reason': async ({ open, person, ask }, look) => {
    const { owner, add } = await seller({ person, ask })
    await ask(owner, setReasons, { input: { lostReasons: ['Price', 'Timing'] } })
    const renewal = await add('Renewal', 'Lead', {
      amount: '1500.50',
      currency: 'EUR',
      expectedClose: '2027-01-31',
      ownerUserId: owner.userId,
    })
    const seats = await add('New seats', 'Lead', { amount: '900', currency: 'USD' })
    const first = await add('Pilot', 'Proposal', { amount: '20000', currency: 'EUR', expectedClose: '2026-01-31' })
    const page = await open('/deals/board', { as: owner })
    await cardOf(page, 'Renewal').waitFor()
    await columnOf(page, 'Lead').getByText('€1,500.50').first().waitFor()
    await columnOf(page, 'Lead').getByText('$900').first().waitFor()
    await look(page, 'board')

    await drag(page, cardOf(page, 'New seats'), cardOf(page, 'Pilot'))
    await page.mouse.up()
    await cardOf(columnOf(page, 'Proposal'), 'New seats').waitFor()
    await columnOf(page, 'Lead').getByText('$900').waitFor({ state: 'detached' })
    assert.deepEqual(await titlesIn(page, 'Proposal'), ['New seats', 'Pilot'])
    await drag(page, cardOf(page, 'Pilot'), cardOf(page, 'New seats'))
    await page.mouse.up()
    await page.waitForFunction(() => document.querySelector('section:nth-of-type(3) a')?.textContent?.startsWith('Pilot'))
    assert.equal((await stageOf(ask, owner, seats)).stage.name, 'Proposal')

    await drag(page, cardOf(page, 'Renewal'), columnOf(page, 'Lost'))
    await page.mouse.up()
    const dialog = page.getByRole('dialog', { name: 'Why was Renewal lost?' })
    await dialog.getByRole('radio', { name: 'Price' }).check()
    await dialog.getByRole('button', { name: 'Mark as lost' }).click()
    await page.getByText('Renewal is now in Lost').first().waitFor()
    assert.deepEqual(await stageOf(ask, owner, renewal), { lostReason: 'Price', stage: { name: 'Lost' } })
    await drag(page, cardOf(page, 'Pilot'), columnOf(page, 'Won'))
    await page.mouse.up()
    await page.getByText('Pilot is now in Won').first().waitFor()
    await columnOf(page, 'Won').getByText('€20,000').waitFor()
    assert.equal((await stageOf(ask, owner, first)).stage.name, 'Won')

    // Esc brings a dragged card back, and a click opens it.
    await drag(page, cardOf(page, 'New seats'), columnOf(page, 'Qualified'))
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await cardOf(columnOf(page, 'Proposal'), 'New seats').waitFor()
    await columnOf(page, 'Qualified').getByRole('button', { name: 'Add a deal to Qualified' }).click()
    await page.keyboard.type('Workshop')
    await page.keyboard.press('Enter')
    await cardOf(columnOf(page, 'Qualified'), 'Workshop').waitFor()
    await page.keyboard.press('Escape')
    await cardOf(page, 'Workshop').click()
    await page.waitForURL(/deals\/[\da-f-]{36}$/)
    await page.getByRole('heading', { name: 'Workshop' }).waitFor()
  },

  'the keyboard lifts, moves, drops and brings back a card, and each step is announced': async ({ open, person, ask }) => {
    const { owner, add } = await seller({ person, ask })
    const renewal = await add('Renewal')
    await add('Seats')
    await add('Pilot', 'Qualified')
    const page = await open('/deals/board', { as: owner })
    await cardOf(page, 'Renewal').focus()
    const says = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowDown')
    assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? '', /^Seats/)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    await says('Renewal is lifted from Lead')
    await page.keyboard.press('ArrowRight')
    await says('Qualified, place 1 of 2')
    await page.keyboard.press('ArrowDown')
    await says('Qualified, place 2 of 2')
    await page.keyboard.press('Escape')
    await says('Renewal is back at its place')
    assert.deepEqual(await titlesIn(page, 'Lead'), ['Renewal', 'Seats'])
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await says('Renewal is dropped in Qualified')
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Renewal'))
    assert.deepEqual(await titlesIn(page, 'Qualified'), ['Renewal', 'Pilot'])
    await page.waitForTimeout(1500)
    assert.deepEqual(await titlesIn(page, 'Qualified'), ['Renewal', 'Pilot'])
    assert.equal((await stageOf(ask, owner, renewal)).stage.name, 'Qualified')
    for (const key of ['Space', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await columnOf(page, 'Won').getByText('Renewal').waitFor()
    await page.keyboard.press('Space')
    await page.getByText('Renewal is now in Won').first().waitFor()
  },

  'a move is taken back by its message or by Ctrl Z, to the place where the card stood': async ({ open, person, ask }) => {
    const { owner, add } = await seller({ person, ask })
    for (const title of ['First', 'Second', 'Third']) await add(title)
    await add('Pilot', 'Proposal')
    const page = await open('/deals/board', { as: owner })
    await cardOf(page, 'Third').waitFor()
    assert.deepEqual(await titlesIn(page, 'Lead'), ['First', 'Second', 'Third'])
    const moved = page.getByText('Second is now in Proposal').first()

    await drag(page, cardOf(page, 'Second'), columnOf(page, 'Proposal'))
    await page.mouse.up()
    await moved.waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(() => titlesIn(page, 'Lead'), ['First', 'Second', 'Third'])

    // By keys alone: the card goes right twice, and back to the end of its column.
    await cardOf(page, 'Third').focus()
    for (const key of ['Space', 'ArrowRight', 'ArrowRight', 'Space']) await page.keyboard.press(key)
    await page.getByText('Third is now in Proposal').first().waitFor()
    await page.keyboard.press('Control+z')
    await eventually(() => titlesIn(page, 'Lead'), ['First', 'Second', 'Third'])
    // Within a column.
    await cardOf(page, 'First').focus()
    for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key)
    await eventually(() => titlesIn(page, 'Lead'), ['Second', 'First', 'Third'])
    await page.getByText('First has another place').first().waitFor()
    await page.keyboard.press('Control+z')
    await eventually(() => titlesIn(page, 'Lead'), ['First', 'Second', 'Third'])
    // The undo is no action that can be undone.
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
  },

  'the board has the saved views of deals, and its heads stand in one line': async ({ open, person, ask }, look) => {
    const { owner, add } = await seller({ person, ask })
    await add('Renewal', 'Lead', { tags: ['vip'] })
    await add('Pilot', 'Proposal')
    await add('Old one', 'Won', { tags: ['vip'] })
    const createView = 'mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { id } }'
    const views: object[] = [
      { name: 'Important', conditions: { deals: { tagIn: ['vip'], state: 'OPEN', titleContains: 'new' } }, sort: 'TITLE', isShared: true },
      { name: 'Gone', conditions: { deals: { onlyDeleted: true } } },
    ]
    for (const view of views) await ask(owner, createView, { input: { noun: 'DEALS', ...view } })
    const page = await open('/deals/board', { as: owner })
    await cardOf(page, 'Pilot').waitFor()
    const tops = await page.locator('section h2').evaluateAll(heads => heads.map(head => head.getBoundingClientRect().top))
    // Lost stands below Won.
    assert.equal(new Set(tops.slice(0, -1)).size, 1, tops.join())

    await page.getByRole('button', { name: 'All deals' }).click()
    await page.getByRole('menuitem', { name: 'Important' }).click()
    await cardOf(page, 'Pilot').waitFor({ state: 'detached' })
    await cardOf(page, 'Renewal').waitFor()
    await page.getByRole('button', { name: 'Remove the condition on Title' }).waitFor()
    // Its order is of the table: the view is not changed by the board.
    assert.equal(await page.getByRole('button', { name: 'Save changes' }).count(), 0)
    await look(page, 'board of a view')
    await page.getByText('Table', { exact: true }).click()
    await page.waitForURL(url => url.pathname === '/deals' && url.searchParams.has('view'))
    await page.locator('td', { hasText: 'Renewal' }).waitFor()
    await page.getByText('Board', { exact: true }).click()
    await cardOf(page, 'Renewal').waitFor()

    await page.getByRole('button', { name: 'Important', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Gone' }).click()
    await page.waitForURL(url => url.pathname === '/deals' && url.searchParams.get('deleted') === 'true')
  },

  'a finger drags a card after a moment': async ({ open, person, ask }) => {
    const { owner, add } = await seller({ person, ask })
    const renewal = await add('Renewal')
    const page = await open('/deals/board', { as: owner, hasTouch: true, viewport: { width: 900, height: 800 } })
    await cardOf(page, 'Renewal').waitFor()
    const from = await boxOf(cardOf(page, 'Renewal'))
    const to = await boxOf(columnOf(page, 'Qualified'))
    const client = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints: points })
    const start = { x: from.x + 40, y: from.y + 20 }
    await touch('touchStart', [start])
    await page.waitForTimeout(400)
    for (let step = 1; step <= 10; step++)
      await touch('touchMove', [{ x: start.x + ((to.x + 60 - start.x) * step) / 10, y: start.y + ((to.y + 160 - start.y) * step) / 10 }])
    await page.waitForTimeout(100)
    await touch('touchEnd', [])
    await cardOf(columnOf(page, 'Qualified'), 'Renewal').waitFor()
    await page.waitForTimeout(500)
    assert.equal((await stageOf(ask, owner, renewal)).stage.name, 'Qualified')
  },

  'two people see the moves of each other, and decide about a card that both have moved': async ({ open, person, ask }, look) => {
    const { owner, stages, add } = await seller({ person, ask })
    const renewal = await add('Renewal')
    const key = await ask<{ createApiKey: { key: string } }>(owner, 'mutation { createApiKey(input: { label: "Robot" }) { key } }')
    const page = await open('/deals/board', { as: owner })
    await cardOf(page, 'Renewal').waitFor()
    const asRobot = async (stage: string) => {
      const response = await fetch(new URL('/graphql', page.url()), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key.createApiKey.key}` },
        body: JSON.stringify({ query: moveDeal, variables: { input: { id: renewal, stageId: stages.get(stage) } } }),
      })
      assert.equal(((await response.json()) as { errors?: unknown }).errors, undefined)
    }
    await asRobot('Proposal')
    await cardOf(columnOf(page, 'Proposal'), 'Renewal').getByText('Moved by Robot').waitFor()
    await page.getByRole('status').filter({ hasText: 'Robot moved Renewal to Proposal' }).waitFor({ state: 'attached' })

    // The page sends its move before it hears of the other one.
    let isHeld = true
    await page.route('**/graphql', async route => {
      if (isHeld && route.request().postData()?.includes('"stageId"')) {
        isHeld = false
        await asRobot('Negotiation')
      }
      await route.continue()
    })
    await cardOf(page, 'Renewal').focus()
    for (const press of ['Space', 'ArrowLeft', 'Space']) await page.keyboard.press(press)
    await columnOf(page, 'Negotiation').getByText('Robot has moved it to Negotiation.').waitFor()
    await look(page, 'board moved by two')
    await page.getByRole('button', { name: 'Leave it in Negotiation' }).waitFor()
    await page.getByRole('button', { name: 'Move it to Qualified' }).click()
    await cardOf(columnOf(page, 'Qualified'), 'Renewal').waitFor()
    await page.waitForTimeout(1000)
    assert.equal((await stageOf(ask, owner, renewal)).stage.name, 'Qualified')
  },

  'two thousand deals scroll and move without a long task': async ({ open, person, ask }, look) => {
    const { owner, add } = await seller({ person, ask })
    const names = ['Lead', 'Qualified', 'Proposal', 'Negotiation']
    for (let batch = 0; batch < 100; batch++)
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          add(`Deal ${batch * 20 + index}`, names[index % 4], { amount: `${1000 + index}`, currency: 'EUR' }),
        ),
      )
    const page = await open('/deals/board', { as: owner })
    await columnOf(page, 'Lead').getByText('500', { exact: true }).waitFor()
    await look(page, 'board of 2000')
    const box = await boxOf(columnOf(page, 'Lead'))
    const scroll = await longestTask(page, async () => {
      await page.mouse.move(box.x + 80, box.y + 300)
      for (let step = 0; step < 40; step++) await page.mouse.wheel(0, 400)
      for (let step = 0; step < 40; step++) await page.mouse.wheel(0, -400)
    })
    const last = await longestTask(page, async () => {
      await drag(page, columnOf(page, 'Lead').getByRole('link').first(), columnOf(page, 'Proposal').getByRole('link').first())
      await page.mouse.up()
    })
    assert.ok(scroll > 0 && scroll <= 50, `the longest task while scrolling took ${scroll} ms`)
    assert.ok(last > 0 && last <= 50, `the longest task of a move took ${last} ms`)

    // All cards of a column can be reached.
    await page.mouse.move(box.x + 80, box.y + 300)
    const end = columnOf(page, 'Qualified').getByRole('link', { name: /^Deal 1997/ })
    const qualified = await boxOf(columnOf(page, 'Qualified'))
    await page.mouse.move(qualified.x + 80, qualified.y + 300)
    for (let turn = 0; turn < 200 && !(await end.isVisible()); turn++) {
      await page.mouse.wheel(0, 2000)
      await page.waitForTimeout(60)
    }
    await end.waitFor()
  },
})
