// The cards of the columns as they are shown: the cards that the server has, with the moves that it has not answered yet.

import type { BoardColumnFragment, DealCardFragment } from '../generated/operations.ts'

export type DealCard = DealCardFragment
export type BoardColumn = BoardColumnFragment
export type BoardStage = BoardColumn['stage']

/** Cards of each column at first. A column has about ten in sight, and reads more while it is scrolled. */
export const firstCards = 30

/** A place in a column: before a card, or behind the last one. */
export interface Spot {
  stageId: string
  before: string | null
}

/** A card that stands at another place than the server has it. */
export interface Placed extends Spot {
  deal: DealCard
}

/** The cards that a column shows, for keys and drops. */
export interface Shown {
  cards: readonly DealCard[]
  /** Whether no further cards are behind them. */
  isWhole: boolean
}

/** The cards of a column. */
export function cardsOf(stageId: string, deals: readonly DealCard[], placed: ReadonlyMap<string, Placed>): readonly DealCard[] {
  // A change of somebody else may have come for a card before its column is read again.
  const cards = deals.filter(deal => deal.stageId === stageId && deal.deletedAt === null && !placed.has(deal.id))
  for (const { deal, before, ...spot } of placed.values()) {
    if (spot.stageId !== stageId) continue
    const index = before === null ? -1 : cards.findIndex(({ id }) => id === before)
    cards.splice(index < 0 ? cards.length : index, 0, deal)
  }
  return cards
}

/** The spot of a card that goes to this index of a column without it. */
export const spotAt = (stageId: string, cards: readonly DealCard[], index: number): Spot => ({ stageId, before: cards[index]?.id ?? null })
