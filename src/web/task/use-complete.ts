// Completes a task or opens it again. The change shows at once, and can be undone.

import { useCallback } from 'react'
import { type Client, useClient } from 'urql'
import { failureOf } from '../data/failure.ts'
import { newId } from '../data/new-id.ts'
import { UpdateTaskDocument } from '../generated/documents/task.ts'
import type { TaskStatus } from '../generated/schema.ts'
import { taskWords } from '../language/en/tasks.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'

/** A task as a list knows it. Without a version the change overwrites one that somebody else makes at the same time. */
export interface Completed {
  id: string
  title: string
  status: TaskStatus
  version?: number
}

/** `onChanged` is called with true when the task is finished, and with false when it is open again, by this or by "Undo". */
type OnChanged = (isFinished: boolean) => void

export function useComplete(): (task: Completed, onChanged?: OnChanged) => void {
  const client = useClient()
  return useCallback(
    (task: Completed, onChanged) => void setStatus(client, task, task.status === 'OPEN' ? 'DONE' : 'OPEN', onChanged),
    [client],
  )
}

async function setStatus(client: Client, task: Completed, status: TaskStatus, onChanged?: OnChanged): Promise<void> {
  const input = { id: task.id, status, ...(task.version !== undefined && { ifVersion: task.version }) }
  const { data, error } = await client.mutation(UpdateTaskDocument, { input }, { idempotencyKey: newId() }).toPromise()
  if (error) return tellRefusal(taskWords.notChanged(task.title), failureOf(error))
  const changed = data?.updateTask
  if (!changed) return
  onChanged?.(status !== 'OPEN')
  offerUndo(
    status === 'DONE' ? taskWords.isDone(task.title) : taskWords.isOpenAgain(task.title),
    () => void setStatus(client, changed, task.status, onChanged),
  )
}
