// The cards that somebody else has just moved, with the name of that person. Each move is announced.

import { useEffect, useState } from 'react'
import { actorName } from '../deal-record/move-deal.ts'
import { announce } from '../keyboard/announce.tsx'
import { boardWords } from '../language/en/deals/board.ts'
import { onChange } from '../live/change.ts'
import { useMe } from '../session/use-me.ts'

// Long enough to be seen by somebody who looks away from the board for a moment.
const shownMs = 15_000

/** By the id of the deal. */
export function useOthers(): ReadonlyMap<string, string> {
  const userId = useMe().me?.id
  const [others, setOthers] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const end = onChange(({ type, actor, entityId, entity }) => {
      if (type !== 'DEAL_MOVED' || entityId === null || actor === null || actor.actorId === userId) return
      const who = actorName(actor)
      setOthers(before => new Map(before).set(entityId, who))
      if (entity?.__typename === 'Deal') announce(boardWords.othersMoved(who, entity.title, entity.stage?.name ?? ''))
      const timer = setTimeout(() => {
        timers.delete(timer)
        setOthers(before => new Map([...before].filter(([id]) => id !== entityId)))
      }, shownMs)
      timers.add(timer)
    })
    return () => {
      end()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [userId])
  return others
}
