// Starts a change of many records, and shows its progress in a notice with an undo.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { notifications } from '@mantine/notifications'
import { useClient } from 'urql'
import { failureOf } from '../data/failure.ts'
import { newId } from '../data/new-id.ts'
import { bulkWords } from '../language/en/contact/bulk.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { BulkNotice, type ChangesOf, type Undone } from './notice.tsx'

interface UndoneBy<Data> {
  document: TypedDocumentNode<Data, { input: { id: string } }>
  pick(data: Data): { id: string }
}

/** Resolves with whether the server queued the change. */
export type Start = <Data, Variables extends object>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pick: (data: Data) => { id: string },
  undone?: Undone,
) => Promise<boolean>

export function useStart<Data, UndoData>(changes: ChangesOf<Data>, undoing: UndoneBy<UndoData>): Start {
  const client = useClient()

  const start: Start = async (document, variables, pick, undone) => {
    const { data, error } = await client.mutation(document, variables, { idempotencyKey: newId() }).toPromise()
    if (error || !data) {
      if (error) tellRefusal(changes.noun === 'contact' ? bulkWords.notStarted : bulkWords.nothingChanged, failureOf(error))
      return false
    }
    follow(pick(data).id, undone)
    return true
  }
  const undo = (id: string, undone: Undone) => void start(undoing.document, { input: { id } }, undoing.pick, undone)
  const follow = (id: string, undone?: Undone) => {
    const notice = notifications.show({
      autoClose: false,
      closeButtonProps: { 'aria-label': 'Dismiss' },
      message: (
        <BulkNotice changes={changes} id={id} undone={undone} onUndo={what => undo(id, what)} onOver={() => notifications.hide(notice)} />
      ),
    })
  }
  return start
}
