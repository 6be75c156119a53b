// The conditions of the current view that the filters of the list cannot show. They hold until somebody removes them.

import { useMemo, useState } from 'react'
import type { View, ViewKind } from './kind.ts'
import { besideOf, type Conditions } from './view.ts'

const none: Conditions = {}

export interface Beside {
  conditions: Conditions
  isAny: boolean
  /** The filter with these conditions. */
  within<Filter extends object>(filter: Filter): Filter
  remove(name: string): void
}

export function useBeside<Search extends object, Sort extends string>(kind: ViewKind<Search, Sort>, view: View | undefined): Beside {
  const [removed, setRemoved] = useState<{ viewId: string | undefined; names: readonly string[] }>({ viewId: undefined, names: [] })
  const names = removed.viewId === view?.id ? removed.names : []
  const key = names.join(' ')
  const conditions = useMemo(() => {
    const gone = key.split(' ')
    // `as`: a kind without the type of its filters, whose methods get what they have returned.
    const all = view ? besideOf(kind as ViewKind, view) : none
    const left = Object.entries(all).filter(([name]) => !gone.includes(name))
    return left.length > 0 ? Object.fromEntries(left) : none
  }, [kind, view, key])
  return {
    conditions,
    isAny: conditions !== none,
    // `as`: the conditions are of the noun's filter.
    within: <Filter extends object>(filter: Filter) => (conditions === none ? filter : ({ ...filter, ...conditions } as Filter)),
    remove: name => setRemoved({ viewId: view?.id, names: [...names, name] }),
  }
}
