// The selected rows: some by their ids, or all rows that match the filter, loaded or not.

import { useCallback, useMemo, useRef, useState } from 'react'

export interface Selection {
  ids: ReadonlySet<string>
  /** All rows that match the filter. `ids` then has the loaded rows. */
  isEverything: boolean
  toggle(id: string): void
  /** Selects all rows from the last toggled one to this one. */
  extendTo(id: string, order: readonly string[]): void
  replace(ids: readonly string[]): void
  selectEverything(): void
  clear(): void
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isEverything, setEverything] = useState(false)
  const anchor = useRef<string | null>(null)
  const set = useCallback((next: ReadonlySet<string>) => {
    setIds(next)
    setEverything(false)
  }, [])
  const toggle = useCallback((id: string) => {
    anchor.current = id
    setEverything(false)
    setIds(before => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  const extendTo = useCallback((id: string, order: readonly string[]) => {
    const from = order.indexOf(anchor.current ?? id)
    const to = order.indexOf(id)
    anchor.current ??= id
    const [first, last] = from < to ? [from, to] : [to, from]
    setEverything(false)
    setIds(before => new Set([...before, ...order.slice(Math.max(first, 0), last + 1)]))
  }, [])
  return useMemo(
    () => ({
      ids,
      isEverything,
      toggle,
      extendTo,
      replace: (next: readonly string[]) => set(new Set(next)),
      selectEverything: () => setEverything(true),
      clear: () => {
        anchor.current = null
        set(new Set())
      },
    }),
    [ids, isEverything, toggle, extendTo, set],
  )
}
