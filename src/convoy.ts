// Writes of one kind that arrive while one is on its way leave together in the next: one statement and one commit for all of them.

import { AppError } from './errors.ts'

/**
 * Sends several items at once; the results in the order of the items. `isInCompany`: where it fails, each of them is sent again alone, so
 * that what is likely may be taken for granted.
 */
export type SendTogether<Item, Result> = (items: readonly Item[], isInCompany: boolean) => Promise<readonly Result[]>

export interface Lanes {
  /**
   * Groups on their way at once. Default 3: one is being made, one is being written, one waits for its commit; more would make the groups
   * smaller.
   */
  lanes?: number
  /**
   * Whether what waits is shared out among the free lanes. Callers who each wait for their answer before they write again would otherwise
   * all end up in one group, and this process and the database would work in turns instead of side by side.
   */
  isShared?: boolean
}

// 64: beyond that the first of a group waits longer for the last than grouping saves.
const most = 64

/**
 * A function that sends one item, alone when nothing else is going on. An item that fails in company is sent again by itself, so that
 * it fails nobody else: `send` must write all of its items or none.
 */
export function convoy<Item, Result>(
  send: SendTogether<Item, Result>,
  { lanes = 3, isShared = false }: Lanes = {},
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item
    resolve(result: Result): void
    reject(reason: unknown): void
  }
  let waiting: Waiting[] = []
  let underWay = 0

  const sendAlone = async ({ item, resolve, reject }: Waiting) => {
    try {
      const [result] = await send([item], false)
      resolve(result as Result)
    } catch (error) {
      reject(error)
    }
  }
  const depart = async () => {
    const size = isShared ? Math.min(most, Math.ceil(waiting.length / (lanes - underWay))) : most
    const group = waiting.slice(0, size)
    waiting = waiting.slice(size)
    underWay++
    try {
      // One that has nobody beside it is in company as well while others are under way, or it would hold a lane for longer than many do.
      if (group.length > 1 || (isShared && underWay > 1)) {
        const results = await send(
          group.map(({ item }) => item),
          true,
        )
        for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result)
      } else await Promise.all(group.map(sendAlone))
    } catch (error) {
      // Whether an unreachable database has written them nobody knows; sending again would write some twice.
      if (error instanceof AppError && error.code === 'UNAVAILABLE') for (const { reject } of group) reject(error)
      else await Promise.all(group.map(sendAlone))
    } finally {
      underWay--
      if (waiting.length > 0) void depart()
    }
  }

  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      // What else this turn of the event loop brings comes along.
      if (waiting.length === 1 && underWay < lanes)
        setImmediate(() => {
          while (waiting.length > 0 && underWay < lanes) {
            void depart()
            if (!isShared) break
          }
        })
    })
}
