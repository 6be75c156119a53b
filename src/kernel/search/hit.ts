// One result of a search.

import type { Snippet } from './snippet.ts'

export interface Hit<Entity> {
  entity: Entity
  /** 0 to 1. Matches in names rank above matches in longer texts. */
  rank: number
  /** The name under which a list shows the result. */
  title: string
  snippet: Snippet
}
