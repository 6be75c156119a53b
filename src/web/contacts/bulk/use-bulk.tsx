// Starts a change of many contacts, and shows its progress in a notice with an undo.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { notifications } from '@mantine/notifications'
import { useClient } from 'urql'
import { failureOf } from '../../data/failure.ts'
import { newId } from '../../data/new-id.ts'
import {
  ChangeContactsInBulkDocument,
  CreateTasksInBulkDocument,
  DeleteContactsInBulkDocument,
  EnrichContactsInBulkDocument,
  RestoreContactsInBulkDocument,
  UndoBulkChangeDocument,
} from '../../generated/documents/contacts-bulk.ts'
import type { BulkChangeFragment, ContactFilter } from '../../generated/operations.ts'
import type { LifecycleStage } from '../../generated/schema.ts'
import { bulkWords } from '../../language/en/contact/list.ts'
import { tellRefusal } from '../../pieces/notices/refusal.tsx'
import { BulkNotice, type Undone } from './notice.tsx'

/** Some contacts by their ids, or all that match a filter. */
export type Chosen = { ids: string[] } | { filter: ContactFilter }

export interface Change {
  addTags?: string[]
  removeTags?: string[]
  ownerUserId?: string | null
  lifecycleStage?: LifecycleStage
  doNotCall?: boolean
}

export interface TaskForAll {
  title: string
  dueAt: string | null
  assigneeUserId: string | null
}

export interface Bulk {
  change(chosen: Chosen, change: Change): Promise<boolean>
  addTask(chosen: Chosen, task: TaskForAll): Promise<boolean>
  remove(chosen: Chosen): Promise<boolean>
  restore(chosen: Chosen): Promise<boolean>
  enrich(chosen: Chosen, recipe: string): Promise<boolean>
}

/** Each returns whether the server queued the change. */
export function useBulk(): Bulk {
  const client = useClient()

  async function start<Data, Variables extends object>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    pick: (data: Data) => BulkChangeFragment,
    undone?: Undone,
  ): Promise<boolean> {
    const { data, error } = await client.mutation(document, variables, { idempotencyKey: newId() }).toPromise()
    if (error || !data) {
      if (error) tellRefusal(bulkWords.notStarted, failureOf(error))
      return false
    }
    follow(pick(data).id, undone)
    return true
  }

  const undo = (id: string, undone: Undone) =>
    void start(UndoBulkChangeDocument, { input: { id } }, data => data.undoContactBulkChange, undone)

  const follow = (id: string, undone?: Undone) => {
    const notice = notifications.show({
      autoClose: false,
      closeButtonProps: { 'aria-label': 'Dismiss' },
      message: <BulkNotice id={id} undone={undone} onUndo={what => undo(id, what)} onOver={() => notifications.hide(notice)} />,
    })
  }

  return {
    change: (chosen, change) => start(ChangeContactsInBulkDocument, { input: { ...chosen, ...change } }, data => data.updateContactsInBulk),
    addTask: (chosen, task) => start(CreateTasksInBulkDocument, { input: { ...chosen, ...task } }, data => data.createTasksInBulk),
    remove: chosen => start(DeleteContactsInBulkDocument, { input: chosen }, data => data.deleteContactsInBulk),
    restore: chosen => start(RestoreContactsInBulkDocument, { input: chosen }, data => data.restoreContactsInBulk),
    enrich: (chosen, recipe) => start(EnrichContactsInBulkDocument, { input: { ...chosen, recipe } }, data => data.enrichContactsInBulk),
  }
}
