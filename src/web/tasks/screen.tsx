// Tasks: mine, due, open and done. D completes the task in focus.

import { Button, Kbd, SegmentedControl, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { useConnection } from '../data/use-connection.ts'
import { Header, Toolbar } from '../frame/header.tsx'
import { usePanelAddress } from '../frame/use-panel-address.ts'
import { TasksCountDocument, TasksDocument } from '../generated/documents/tasks.ts'
import type { TaskSort } from '../generated/schema.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { frameWords } from '../language/en/frame.ts'
import { taskWords } from '../language/en/tasks.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import type { Change } from '../live/change.ts'
import { Empty } from '../pieces/states/empty.tsx'
import { useMe } from '../session/use-me.ts'
import { ListTable } from '../table/list-table.tsx'
import { useComplete } from '../task/use-complete.ts'
import { taskColumns } from './columns.tsx'
import { endOfToday, filterOf, nothingIn, sortOf, taskLists } from './lists.ts'
import { tasksRoute } from './route.tsx'
import { TaskPanel } from './task-panel.tsx'

const isChangedBy = ({ type }: Change) =>
  /^CONTACT_(TASK_|BULK_CHANGE_|IMPORT_\w*(PROGRESSED|COMPLETED|UNDONE)$)|^(CONTACT|COMPANY|DEAL)_(DELETED|RESTORED)$/.test(type)

export function TasksScreen() {
  const { show = 'mine', sort = sortOf(show), open, new: isNew = false } = tasksRoute.useSearch()
  const navigate = useNavigate({ from: tasksRoute.fullPath })
  const { me, mayWrite, isGuest, isOff } = useMe()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const complete = useComplete()
  // The day of the first rendering: a list that changes by itself at midnight would lose the reader's place.
  const [until] = useState(endOfToday)
  const filter = useMemo(() => filterOf(show, me?.userId ?? null, until), [show, me?.userId, until])
  const list = useConnection({ document: TasksDocument, variables: { filter, sort, first: 100 }, pick: data => data.tasks, isChangedBy })
  const [{ data: counted }] = useQuery({ query: TasksCountDocument, variables: { filter } })
  const columns = useMemo(() => taskColumns(complete, !isOff, isPhone), [complete, isOff, isPhone])
  const total = counted?.tasks.totalCount

  const go = (next: Partial<ReturnType<typeof tasksRoute.useSearch>>) =>
    void navigate({ search: before => ({ ...before, ...next }), replace: true })
  const panel = usePanelAddress(open !== undefined || isNew, () => go({ open: undefined, new: undefined }))
  const make = () => void navigate({ search: before => ({ ...before, open: undefined, new: true }), ...panel.opening })
  useShortcut('C', taskWords.addLine, make, { isOn: mayWrite })
  // The table calls `onRowKey` with it.
  useShortcut('D', taskWords.keyDone, null, { isOn: mayWrite })
  const create = (
    <Button leftSection={<IconPlus />} disabled={isOff} onClick={make}>
      {isGuest ? taskWords.signUp : taskWords.addLine}
    </Button>
  )
  return (
    <>
      <Header title={frameWords.places.tasks} actions={create} />
      <DroppedFilters />
      <Toolbar>
        <SegmentedControl
          size="xs"
          aria-label={taskWords.which}
          transitionDuration={0}
          data={[...taskLists]}
          value={show}
          onChange={value => go({ show: taskLists.find(one => one.value === value)?.value, sort: undefined })}
        />
        <Text size="xs" c="dimmed" ml="auto" visibleFrom="sm">
          <Kbd size="xs">J</Kbd> {taskWords.keysEnter}, <Kbd size="xs">D</Kbd> {taskWords.keysDone}
        </Text>
        {total != null && (
          <Text size="xs" c="dimmed">
            {countText(total, nounWords.task)}
          </Text>
        )}
      </Toolbar>
      <ListTable
        name={`tasks ${show}`}
        key={show}
        label={frameWords.places.tasks}
        columns={columns}
        list={list}
        onOpen={({ id }) => void navigate({ search: before => ({ ...before, open: id, new: undefined }), ...panel.opening })}
        openId={open}
        onRowKey={(key, task) => key.toLowerCase() === 'd' && !isOff && complete(task)}
        finish={{
          label: task => taskWords.isDone(task.title),
          isFinished: ({ status }) => status !== 'OPEN',
          isDisabled: isOff,
          run: complete,
        }}
        sort={sort}
        onSort={next => go({ sort: next as TaskSort })}
        empty={<Empty sentence={nothingIn[show]} action={show === 'done' ? undefined : create} />}
      />
      {((isNew && mayWrite) || open) && <TaskPanel open={open ?? 'new'} onClose={panel.close} onChanged={list.refresh} />}
    </>
  )
}
