// A task in the panel: creates one, or changes and deletes one.

import { Button, Group } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useRead } from '../data/use-read.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { Panel } from '../frame/panel.tsx'
import { CreateTaskDocument, DeleteTaskDocument, TaskNowDocument } from '../generated/documents/task.ts'
import { taskWords } from '../language/en/tasks.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { RecordLink } from '../record/link.tsx'
import { recordOf } from '../record/ref.ts'
import { useMe } from '../session/use-me.ts'
import type { Task } from '../task/due.tsx'
import TaskForm from '../task/form.tsx'

interface TaskPanelProps {
  /** The id of the task; "new" for a new one. */
  open: string
  onClose(): void
  onChanged(): void
}

export function TaskPanel({ open, onClose, onChanged }: TaskPanelProps) {
  const { me } = useMe()
  const over = () => {
    onClose()
    onChanged()
  }
  return (
    <Panel isOpen isInAddress onClose={onClose} title={open === 'new' ? taskWords.addLine : taskWords.task} isForm={open === 'new'}>
      {open === 'new' ? (
        <TaskForm assigneeUserId={me?.userId ?? undefined} onClose={onClose} onWritten={over} />
      ) : (
        <OpenTask key={open} id={open} onClose={onClose} onOver={over} />
      )}
    </Panel>
  )
}

function OpenTask({ id, onClose, onOver }: { id: string; onClose(): void; onOver(): void }) {
  const read = useRead(TaskNowDocument, { id })
  const task = read.data?.task
  if (!task) return <Unread read={read} count={4} />
  const record = recordOf(task)
  return (
    <>
      {record && (
        <RecordLink record={record} size="sm" display="block" mb="md">
          {record.name}
        </RecordLink>
      )}
      <TaskForm task={task} onClose={onClose} onWritten={onOver} />
      <DeleteTask task={task} onDeleted={onOver} />
    </>
  )
}

function DeleteTask({ task, onDeleted }: { task: Task; onDeleted(): void }) {
  const { mayWrite } = useMe()
  const remove = useMutationWithProblems(DeleteTaskDocument)
  const add = useMutationWithProblems(CreateTaskDocument)
  const { id, version, contactId, companyId, dealId, title, description, dueAt, remindAt, assigneeUserId, status } = task
  const bringBack = async () => {
    const { failure } = await add.run({
      input: { contactId, companyId, dealId, title, description, dueAt, remindAt, assigneeUserId, status },
    })
    if (failure) tellRefusal(taskWords.notRestored, failure)
  }
  const takeAway = async () => {
    const { failure } = await remove.run({ input: { id, ifVersion: version } })
    if (failure) return tellRefusal(taskWords.notDeleted, failure)
    onDeleted()
    offerUndo(taskWords.deleted(title), () => void bringBack())
  }
  return (
    <Group mt="xl">
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash />}
        disabled={!mayWrite}
        loading={remove.isRunning}
        onClick={() => void takeAway()}
      >
        {taskWords.delete}
      </Button>
    </Group>
  )
}
