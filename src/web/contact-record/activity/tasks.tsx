// The tasks of a record: added, completed and changed here.

import { Box, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { useConnection } from '../../data/use-connection.ts'
import { Dialog } from '../../frame/floating/dialog.tsx'
import { TasksOfRecordDocument } from '../../generated/documents/contact-record-activity.ts'
import { recordWords } from '../../language/en/contact/record.ts'
import { Grown } from '../../pieces/states/grown.tsx'
import { concerns, type RecordRef } from '../../record/ref.ts'
import { AddLine } from '../../task/add-line.tsx'
import { Due, type Task } from '../../task/due.tsx'
import { FinishTask } from '../../task/finish-task.tsx'

const TaskForm = lazy(() => loadPart(() => import('../../task/form.tsx')))

interface TasksProps {
  record: RecordRef
  mayWrite: boolean
  /** How often somebody has asked to type a new task. */
  focusCount: number
}

export default function Tasks({ record, mayWrite, focusCount }: TasksProps) {
  const [edited, setEdited] = useState<Task | 'new' | null>(null)
  const list = useConnection({
    document: TasksOfRecordDocument,
    variables: { id: record.id, first: 50 },
    pick: ({ node }) => (node && 'tasks' in node ? node.tasks : null),
    isChangedBy: change => change.type.startsWith('CONTACT_TASK_') && concerns(record, change),
  })
  return (
    <Stack gap={0} pt="md">
      <AddLine record={record} mayWrite={mayWrite} focusCount={focusCount} onAdded={list.refresh} onForm={() => setEdited('new')} />
      <Grown list={list} height={36} empty={recordWords.tasks.none}>
        {list.rows.map(task => (
          <Group key={task.id} gap="sm" wrap="nowrap" py={6}>
            <FinishTask task={task} isDisabled={!mayWrite} />
            <UnstyledButton onClick={() => setEdited(task)} style={{ flex: 1, minWidth: 0 }}>
              <Text
                size="sm"
                truncate
                td={task.status === 'OPEN' ? undefined : 'line-through'}
                c={task.status === 'OPEN' ? undefined : 'dimmed'}
              >
                {task.title}
              </Text>
            </UnstyledButton>
            <Box fz="xs" c="dimmed" style={{ flex: 'none' }}>
              <Due task={task} />
            </Box>
          </Group>
        ))}
      </Grown>
      <Dialog
        isOpen={edited !== null}
        onClose={() => setEdited(null)}
        title={edited === 'new' ? recordWords.tasks.new : recordWords.tasks.task}
      >
        <Suspense>
          <TaskForm
            task={edited === 'new' || edited === null ? undefined : edited}
            record={record}
            onClose={() => setEdited(null)}
            onWritten={() => {
              setEdited(null)
              list.refresh()
            }}
          />
        </Suspense>
      </Dialog>
    </Stack>
  )
}
