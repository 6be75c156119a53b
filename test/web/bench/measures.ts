// The measures of bench:web, each on a list of 100,000 contacts. They resolve with one figure for each row of the table.

import type { Page } from 'playwright-core'
import type { Fixture, Person } from '../support/fixture.ts'
import { longTasksOf, observe, paintsOf } from './paints.ts'

export type Figures = Record<string, number>
export type Measure = (fixture: Fixture, person: Person) => Promise<Figures>

const grid = (page: Page) => page.getByRole('grid', { name: 'Contacts' })

async function untilRowsAnswer(page: Page): Promise<void> {
  const cell = grid(page).locator('[data-cell="0 0"]')
  await cell.waitFor()
  await cell.focus()
  await page.keyboard.press('ArrowDown')
  await page.waitForFunction(() => (document.activeElement as HTMLElement | null)?.dataset.cell === '1 0', null, { polling: 'raf' })
}

export const paints: Measure = async (fixture, person) => {
  const page = await fixture.open('/contacts', { as: person, prepare: observe })
  await grid(page).getByRole('row').nth(10).waitFor()
  // The network is never idle: the stream of changes stays open. What is painted or moved later than a second after the rows is missed.
  await page.waitForTimeout(1000)
  const { firstPaintMs, largestPaintMs, layoutShift } = await paintsOf(page)
  return { 'first contentful paint': firstPaintMs, 'largest paint': largestPaintMs, 'layout shift': layoutShift }
}

async function slowed(page: Page): Promise<void> {
  await observe(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 93_750,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

// 1.6 Mbit/s with the latency of a mobile network; a processor a quarter as fast.
export const slowSignIn: Measure = async fixture => {
  const page = await fixture.open('/sign-in', { prepare: slowed })
  await page.getByLabel('Email').waitFor()
  await page.waitForLoadState('networkidle')
  const { largestPaintMs, blockingMs } = await paintsOf(page)
  return {
    'sign-in on a slow line and processor: largest paint': largestPaintMs,
    'sign-in on a slow line and processor: blocking': blockingMs,
  }
}

export const opening: Measure = async (fixture, person) => {
  let begun = Number.NaN
  const prepare = async () => {
    begun = performance.now()
  }
  const page = await fixture.open('/contacts', { as: person, prepare })
  await untilRowsAnswer(page)
  const cold = performance.now() - begun
  await page.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL('**/home')
  const left = performance.now()
  await page.getByRole('link', { name: 'Contacts' }).first().click()
  await untilRowsAnswer(page)
  return {
    'address opened to rows that answer keys, cold': cold,
    'address opened to rows that answer keys, inside': performance.now() - left,
  }
}

const searches = 20

/** 95th percentile of twenty searches, typed at 60 ms a key. */
export const search: Measure = async (fixture, person) => {
  const page = await fixture.open('/contacts', { as: person, prepare: observe })
  await grid(page).getByRole('row').nth(10).waitFor()
  const field = page.getByLabel('Search contacts')
  const times: number[] = []
  for (let index = 0; index < searches; index++) {
    const number = 10_000 + index * 4567
    await field.fill('')
    await grid(page).getByRole('row').nth(10).waitFor()
    await field.focus()
    const text = `person${number}@`
    await page.evaluate(() => {
      addEventListener('keydown', () => Object.assign(globalThis, { lastKey: performance.now() }), true)
    })
    await page.keyboard.type(text, { delay: 60 })
    const found = await page.waitForFunction(
      name => {
        const rows = document.querySelectorAll('[role=grid] [data-cell="0 0"]')
        return rows[0]?.textContent?.includes(name) ? performance.now() - (globalThis as unknown as { lastKey: number }).lastKey : false
      },
      `First${number} Last${number}`,
      { polling: 'raf' },
    )
    times.push((await found.jsonValue()) as number)
  }
  return { 'last key of a search to rows, p95': percentile(times, 0.95) }
}

const scrolledRows = 20_000

/** Scrolled by five rows a frame, at most 300 a second: faster than anybody reads. */
export const scroll: Measure = async (fixture, person) => {
  const page = await fixture.open('/contacts', { as: person, prepare: observe })
  await grid(page).getByRole('row').nth(10).waitFor()
  await longTasksOf(page)
  const blank = await page.evaluate(async wanted => {
    const box = document.querySelector('[data-scroll-restoration-id^="table"]')
    if (!box) throw new Error('there is no table')
    const { left, top, height, width } = box.getBoundingClientRect()
    let blank = 0
    let last = 0
    const deadline = performance.now() + 240_000
    while (last < wanted) {
      if (performance.now() > deadline) throw new Error(`${last} rows were scrolled in four minutes`)
      box.scrollTop += 220
      await new Promise(resolve => requestAnimationFrame(resolve))
      // Three places: below the header, in the middle, above the end.
      for (const share of [0.2, 0.5, 0.9]) {
        const row = document.elementFromPoint(left + width / 3, top + height * share)?.closest('tr[aria-rowindex]')
        if (row) last = Math.max(last, Number(row.getAttribute('aria-rowindex')))
        else blank++
      }
    }
    return blank
  }, scrolledRows)
  const longTasks = (await longTasksOf(page)).length
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return {
    '20,000 rows scrolled: blank rows': blank,
    '20,000 rows scrolled: long tasks': longTasks,
    '20,000 rows scrolled: heap': usedSize / 1e6,
  }
}

const changes = 20

/** 95th percentile of twenty changes, from sending the write to the next frame that shows it. */
export const live: Measure = async (fixture, person) => {
  const page = await fixture.open('/contacts', { as: person, prepare: observe })
  await grid(page).getByRole('row').nth(10).waitFor()
  const { contacts } = await fixture.ask<{ contacts: { nodes: { id: string }[] } }>(person, '{ contacts(first: 1) { nodes { id } } }')
  const id = contacts.nodes[0]?.id
  const times: number[] = []
  for (let index = 0; index < changes; index++) {
    const text = `Title ${Math.random().toString(36).slice(2, 8)}`
    const shown = page.waitForFunction(
      wanted => (document.body.textContent?.includes(wanted) ? performance.timeOrigin + performance.now() : false),
      text,
      {
        polling: 'raf',
      },
    )
    const sent = performance.timeOrigin + performance.now()
    await fixture.ask(person, 'mutation ($id: ID!, $text: String!) { updateContact(input: { id: $id, jobTitle: $text }) { id } }', {
      id,
      text,
    })
    times.push(((await (await shown).jsonValue()) as number) - sent)
  }
  return { 'change elsewhere to seen, p95': percentile(times, 0.95) }
}

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN
