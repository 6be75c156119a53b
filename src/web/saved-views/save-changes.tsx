// Writes the filters, order and columns of the list into the current view.

import { Button } from '@mantine/core'
import { useMutationWithProblems } from '../data/use-write.ts'
import { viewMenuWords } from '../language/en/views/menus.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import type { View, ViewKind } from './kind.ts'
import { definitionOf, type ListState } from './view.ts'

interface Changed {
  kind: ViewKind
  view: View
  state: ListState
}

export function useSaveChanges({ kind, view: { id, version }, state }: Changed) {
  const { run, isRunning } = useMutationWithProblems(kind.change)
  const save = async () => {
    const { failure } = await run({ input: { id, ifVersion: version, ...definitionOf(kind, state) } })
    if (failure) tellRefusal(viewMenuWords.notSaved, failure)
  }
  return { save, isRunning }
}

export function SaveChanges({ mayNot, ...changed }: Changed & { mayNot: boolean }) {
  const { save, isRunning } = useSaveChanges(changed)
  return (
    <Button variant="light" disabled={mayNot} loading={isRunning} onClick={() => void save()} visibleFrom="sm">
      {viewMenuWords.saveChanges}
    </Button>
  )
}
