// All rows of a list, in pages that are read as the consumer takes them.

import type { Keyed, PageRequest } from './pagination.ts'

// 1,000: a third of a megabyte of contacts, read in about 10 ms.
const chunkSize = 1000

/** Reads page after page. A row that changes meanwhile may be missing or appear twice. */
export async function* everyPage<Row extends { id: string }>(
  read: (page: PageRequest) => Promise<readonly Keyed<Row>[]>,
): AsyncGenerator<readonly Row[]> {
  let start: PageRequest['start'] = null
  for (;;) {
    const keyed: readonly Keyed<Row>[] = await read({ size: chunkSize, start, isBackward: false })
    const page = keyed.slice(0, chunkSize)
    yield page.map(({ row }) => row)
    const last = page.at(-1)
    if (!last || keyed.length <= chunkSize) return
    start = { key: last.key, id: last.row.id }
  }
}
