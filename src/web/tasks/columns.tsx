// The columns of tasks. The first one has a checkbox that completes the task.

import { Checkbox, Group, Text } from '@mantine/core'
import { taskWords } from '../language/en/tasks.ts'
import { fieldWords } from '../language/en/values.ts'
import { Time } from '../pieces/time.tsx'
import { RecordLink } from '../record/link.tsx'
import { recordOf } from '../record/ref.ts'
import { byAge, type Column } from '../table/columns.ts'
import { Due, type Task } from '../task/due.tsx'

/** `isPhone`: a card is one large button, so it may not contain a link, and its checkbox stands beside it. */
export function taskColumns(complete: (task: Task) => void, mayWrite: boolean, isPhone: boolean): readonly Column<Task>[] {
  return [
    {
      id: 'title',
      header: taskWords.task,
      width: 380,
      cell: task => (
        <Group gap={10} wrap="nowrap">
          {!isPhone && (
            <Checkbox
              size="xs"
              aria-label={taskWords.isDone(task.title)}
              checked={task.status !== 'OPEN'}
              disabled={!mayWrite}
              tabIndex={-1}
              onClick={event => event.stopPropagation()}
              onChange={() => complete(task)}
            />
          )}
          <Text
            span
            inherit
            truncate
            td={task.status === 'OPEN' ? undefined : 'line-through'}
            c={task.status === 'OPEN' ? undefined : 'dimmed'}
          >
            {task.title}
          </Text>
        </Group>
      ),
    },
    {
      id: 'dueAt',
      header: fieldWords.dueAt,
      width: 160,
      sort: { ascending: 'DUE_AT', descending: 'DUE_AT_DESC' },
      cell: task => <Due task={task} />,
    },
    {
      id: 'contact',
      header: taskWords.about,
      width: 220,
      cell: task => {
        const record = recordOf(task)
        if (!record || isPhone) return record?.name
        return (
          <RecordLink record={record} inherit tabIndex={-1} onClick={event => event.stopPropagation()}>
            {record.name}
          </RecordLink>
        )
      },
    },
    { id: 'assignee', header: fieldWords.assigneeUserId, width: 160, cell: ({ assignee }) => assignee?.name || assignee?.email },
    { id: 'remindAt', header: fieldWords.remindAt, width: 150, cell: ({ remindAt }) => remindAt && <Time at={remindAt} isPlanned /> },
    {
      id: 'completedAt',
      header: taskWords.lists.done,
      width: 150,
      isHidden: true,
      cell: ({ completedAt }) => completedAt && <Time at={completedAt} />,
    },
    {
      id: 'createdAt',
      header: fieldWords.createdAt,
      width: 150,
      isHidden: true,
      sort: byAge,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ]
}
