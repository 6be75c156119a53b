// A task in the panel: a new one, or one that is changed or deleted.

import { Button, Group } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from 'urql'
import { nameOf } from '../contact-record/fields/fields.ts'
import { tellRefusal } from '../contact-record/fields/notices.tsx'
import { failureOf } from '../data/failure.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { Panel } from '../frame/panel.tsx'
import { CreateTaskDocument, DeleteTaskDocument, TaskNowDocument } from '../generated/documents/task.ts'
import { ErrorNotice } from '../pieces/error-notice.tsx'
import { LateSkeleton } from '../pieces/late-skeleton.tsx'
import { AnchorLink } from '../pieces/links.tsx'
import { offerUndo } from '../pieces/undo.tsx'
import { useMe } from '../session/use-me.ts'
import type { Task } from '../task/due.tsx'
import { TaskForm } from '../task/form.tsx'

interface TaskPanelProps {
  /** The id of the task; "new" for one that is not there yet. */
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
    <Panel isOpen isInAddress={open !== 'new'} onClose={onClose} title={open === 'new' ? 'New task' : 'Task'} isForm={open === 'new'}>
      {open === 'new' ? (
        <TaskForm assigneeUserId={me?.userId ?? undefined} onClose={onClose} onWritten={over} />
      ) : (
        <OpenTask key={open} id={open} onClose={onClose} onOver={over} />
      )}
    </Panel>
  )
}

function OpenTask({ id, onClose, onOver }: { id: string; onClose(): void; onOver(): void }) {
  const [{ data, error }, read] = useQuery({ query: TaskNowDocument, variables: { id } })
  if (error && !data?.task) return <ErrorNotice failure={failureOf(error)} onRetry={() => read({ requestPolicy: 'network-only' })} />
  const task = data?.task
  if (!task) return <LateSkeleton height={36} count={4} />
  return (
    <>
      {task.contact && (
        <AnchorLink to="/contacts/$contactId" params={{ contactId: task.contactId }} size="sm" display="block" mb="md">
          {nameOf(task.contact)}
        </AnchorLink>
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
  const { id, version, contactId, title, description, dueAt, remindAt, assigneeUserId, status } = task
  const bringBack = async () => {
    const { failure } = await add.run({ input: { contactId, title, description, dueAt, remindAt, assigneeUserId, status } })
    if (failure) tellRefusal('The task was not brought back', failure)
  }
  const takeAway = async () => {
    const { failure } = await remove.run({ input: { id, ifVersion: version } })
    if (failure) return tellRefusal('The task was not deleted', failure)
    onDeleted()
    offerUndo(`"${title}" deleted`, () => void bringBack())
  }
  return (
    <Group mt="xl">
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} stroke={1.5} />}
        disabled={!mayWrite}
        loading={remove.isRunning}
        onClick={() => void takeAway()}
      >
        Delete task
      </Button>
    </Group>
  )
}
