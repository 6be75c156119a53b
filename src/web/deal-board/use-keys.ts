// The keys of the board: arrows move the focus among the cards, the space bar lifts a card, arrows then move the card, and the space bar drops it.

import { type KeyboardEvent, type RefObject, useState } from 'react'
import { announce } from '../keyboard/announce.tsx'
import { boardWords } from '../language/en/deals/board.ts'
import { type BoardColumn, type DealCard, type Placed, type Shown, type Spot, spotAt } from './arrange.ts'

/** The card that a key has moved the focus to. */
export interface Focus {
  id: string
}

interface Lifted {
  deal: DealCard
  /** Where it is now: the column, and the place among its other cards. */
  column: number
  index: number
}

interface KeysOptions {
  columns: readonly BoardColumn[]
  shown: RefObject<Map<string, Shown>>
  mayMove: boolean
  onDrop(deal: DealCard, column: BoardColumn, spot: Spot): void
}

const words = boardWords.keys
const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const

export function useKeys({ columns, shown, mayMove, onDrop }: KeysOptions) {
  const [focus, setFocus] = useState<Focus | null>(null)
  const [lifted, setLifted] = useState<Lifted | null>(null)
  /** The cards of a column without the lifted one. */
  const cardsAt = (column: number, without?: string) =>
    (shown.current.get(columns[column]?.stage.id ?? '')?.cards ?? []).filter(({ id }) => id !== without)

  const carry = ({ deal, column, index }: Lifted, [right, down]: readonly [number, number]) => {
    const next = columns[column + right] ? column + right : column
    const target = columns[next]
    if (!target) return
    const others = cardsAt(next, deal.id)
    const place = Math.min(Math.max(index + down, 0), others.length)
    setLifted({ deal, column: next, index: place })
    setFocus({ id: deal.id })
    const { kind, name } = target.stage
    announce(kind === 'OPEN' ? words.over(name, place + 1, others.length + 1) : words.overTarget(name))
  }
  const walk = (id: string, [right, down]: readonly [number, number]) => {
    const column = columns.findIndex((_one, index) => cardsAt(index).some(card => card.id === id))
    const index = cardsAt(column).findIndex(card => card.id === id)
    let next = column + right
    // Columns without cards are passed over.
    while (right !== 0 && columns[next] && cardsAt(next).length === 0) next += right
    const cards = cardsAt(next)
    const card = cards[Math.min(Math.max(index + down, 0), cards.length - 1)]
    if (card) setFocus({ id: card.id })
  }
  const lift = (id: string) => {
    const column = columns.findIndex((_one, index) => cardsAt(index).some(card => card.id === id))
    const index = cardsAt(column).findIndex(card => card.id === id)
    const deal = cardsAt(column)[index]
    if (!deal) return
    setLifted({ deal, column, index })
    setFocus({ id })
    announce(words.lifted(deal.title, columns[column]?.stage.name ?? ''))
  }
  const lay = ({ deal, column, index }: Lifted) => {
    const target = columns[column]
    setLifted(null)
    setFocus({ id: deal.id })
    if (!target) return
    announce(words.dropped(deal.title, target.stage.name))
    onDrop(deal, target, spotAt(target.stage.id, cardsAt(column, deal.id), index))
  }
  const bringBack = () => {
    if (!lifted) return
    setLifted(null)
    setFocus({ id: lifted.deal.id })
    announce(words.brought(lifted.deal.title))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const id = event.target instanceof HTMLElement ? event.target.dataset.deal : undefined
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const step = Object.hasOwn(steps, event.key) ? steps[event.key as keyof typeof steps] : null
    const isTaken = step !== null || event.key === ' ' || (lifted !== null && (event.key === 'Enter' || event.key === 'Escape'))
    if (!isTaken) return
    event.preventDefault()
    event.stopPropagation()
    if (step) return lifted ? carry(lifted, step) : walk(id, step)
    if (event.key === 'Escape') return bringBack()
    if (lifted) lay(lifted)
    else if (mayMove) lift(id)
  }
  const target = lifted && columns[lifted.column]
  const placed: Placed | null =
    lifted && target ? { deal: lifted.deal, ...spotAt(target.stage.id, cardsAt(lifted.column, lifted.deal.id), lifted.index) } : null
  return { focus, placed, isLifted: lifted !== null, onKeyDown, bringBack }
}
