// The changes of many contacts.

import {
  BulkChangeProgressDocument,
  ChangeContactsInBulkDocument,
  CreateTasksInBulkDocument,
  DeleteContactsInBulkDocument,
  EnrichContactsInBulkDocument,
  RestoreContactsInBulkDocument,
  UndoBulkChangeDocument,
} from '../../generated/documents/contacts-bulk.ts'
import type { BulkChangeProgressQuery, ContactFilter } from '../../generated/operations.ts'
import type { LifecycleStage } from '../../generated/schema.ts'
import type { ChangesOf } from '../../record-bulk/notice.tsx'
import { useStart } from '../../record-bulk/use-start.tsx'

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

const changes: ChangesOf<BulkChangeProgressQuery> = {
  noun: 'contact',
  document: BulkChangeProgressDocument,
  stateOf: ({ contactBulkChange: change }) =>
    change && {
      ...change,
      failures: change.failures.map(({ contactId, contact, otherId, error }) => ({
        ...{ id: contactId, otherId, error },
        name: contact?.fullName ?? contact?.email ?? null,
      })),
    },
}

/** Each returns whether the server queued the change. */
export function useBulk(): Bulk {
  const start = useStart(changes, { document: UndoBulkChangeDocument, pick: data => data.undoContactBulkChange })
  return {
    change: (chosen, change) => start(ChangeContactsInBulkDocument, { input: { ...chosen, ...change } }, data => data.updateContactsInBulk),
    addTask: (chosen, task) => start(CreateTasksInBulkDocument, { input: { ...chosen, ...task } }, data => data.createTasksInBulk),
    remove: chosen => start(DeleteContactsInBulkDocument, { input: chosen }, data => data.deleteContactsInBulk),
    restore: chosen => start(RestoreContactsInBulkDocument, { input: chosen }, data => data.restoreContactsInBulk),
    enrich: (chosen, recipe) => start(EnrichContactsInBulkDocument, { input: { ...chosen, recipe } }, data => data.enrichContactsInBulk),
  }
}
