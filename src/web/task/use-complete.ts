// Completes a task or opens it again. The change shows at once, and can be undone.

import { useCallback } from 'react'
import { type Client, useClient } from 'urql'
import { tellRefusal } from '../contact-record/fields/notices.tsx'
import { failureOf } from '../data/failure.ts'
import { newId } from '../data/new-id.ts'
import { UpdateTaskDocument } from '../generated/documents/task.ts'
import type { TaskStatus } from '../generated/schema.ts'
import { offerUndo } from '../pieces/undo.tsx'
import type { Task } from './due.tsx'

export function useComplete(): (task: Task) => void {
  const client = useClient()
  return useCallback((task: Task) => void setStatus(client, task, task.status === 'OPEN' ? 'DONE' : 'OPEN'), [client])
}

async function setStatus(client: Client, task: Task, status: TaskStatus): Promise<void> {
  const input = { id: task.id, ifVersion: task.version, status }
  const { data, error } = await client.mutation(UpdateTaskDocument, { input }, { idempotencyKey: newId() }).toPromise()
  if (error) return tellRefusal(`"${task.title}" was not changed`, failureOf(error))
  const changed = data?.updateTask
  if (!changed) return
  offerUndo(
    status === 'DONE' ? `"${task.title}" is done` : `"${task.title}" is open again`,
    () => void setStatus(client, changed, task.status),
  )
}
