// Asks before something is lost, and names it. For a loss without undo the person has to type the name.

import { loadPart } from '../app/loaded.ts'

export interface Question {
  /** "Delete 12 contacts?" */
  title: string
  /** A sentence about the loss. */
  loses: string
  /** The button's text, a verb: "Delete contacts". */
  verb: string
  /** The name to type, for a loss without undo. */
  typed?: string
  /** Whether something is lost; the button is then red. */
  isDestructive?: boolean
  onConfirm(): void
}

let tellStanding = () => {}
const standing = new Promise<void>(resolve => {
  tellStanding = resolve
})

/** Called when the provider of dialogs listens. It is loaded beside the first screen, and misses earlier questions. */
export const dialogsStand = () => tellStanding()

export function confirm(question: Question): void {
  void standing.then(() => open(question))
}

async function open(question: Question): Promise<void> {
  const { askToConfirm } = await loadPart(() => import('./confirm-dialog.tsx'))
  askToConfirm(question)
}
