// The selected rows: some by their ids, or all rows that match the filter, loaded or not.

import { useCallback, useMemo, useRef, useState } from 'react'

export interface Selection {
  ids: ReadonlySet<string>
  /** All rows that match the filter. `ids` then has the loaded rows. */
  isEverything: boolean
  toggle(id: string): void
  /** Selects all rows from the last toggled one to this one. `from`: where it begins if none was toggled. */
  extendTo(id: string, order: readonly string[], from?: string): void
  replace(ids: readonly string[]): void
  /** `loaded`: the ids of the loaded rows. Default: they are selected already. */
  selectEverything(loaded?: readonly string[]): void
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
  const extendTo = useCallback((id: string, order: readonly string[], begin = id) => {
    anchor.current ??= begin
    const from = order.indexOf(anchor.current)
    const to = order.indexOf(id)
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
      selectEverything: (loaded?: readonly string[]) => {
        if (loaded) setIds(new Set(loaded))
        setEverything(true)
      },
      clear: () => {
        anchor.current = null
        set(new Set())
      },
    }),
    [ids, isEverything, toggle, extendTo, set],
  )
}
