// What a page says of itself: paints, shifts, long tasks.

import type { Page } from 'playwright-core'

export interface Paints {
  firstPaintMs: number
  largestPaintMs: number
  layoutShift: number
  /** What tasks took beyond 50 ms each. */
  blockingMs: number
}

/** Before the page is opened: everything is observed from its beginning. */
export async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { largest: 0, shift: 0, longTasks: [] as number[] }
    Object.assign(globalThis, { seen })
    new PerformanceObserver(list => {
      for (const { startTime } of list.getEntries()) seen.largest = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) seen.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) seen.longTasks.push(duration)
    }).observe({ type: 'longtask', buffered: true })
  })
}

interface Seen {
  largest: number
  shift: number
  longTasks: number[]
}

export const paintsOf = (page: Page): Promise<Paints> =>
  page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: Seen }
    return {
      firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      largestPaintMs: seen.largest,
      layoutShift: seen.shift,
      blockingMs: seen.longTasks.reduce((sum, duration) => sum + duration - 50, 0),
    }
  })

/** The long tasks since the last call. */
export const longTasksOf = (page: Page): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen.longTasks.splice(0))
