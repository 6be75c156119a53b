// What a search of one noun finds.

import type { Snippet } from './snippet.ts'

export interface Hit<Entity> {
  entity: Entity
  /** 0 to 1. Names rank above words inside texts. */
  rank: number
  /** What people call it. */
  title: string
  snippet: Snippet
}
