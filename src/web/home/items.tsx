// The rows of a list widget. Each row leads to its object.

import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DashboardWidgetKind } from '../generated/schema.ts'
import { callWords } from '../language/en/calls.ts'
import { homeWords } from '../language/en/home.ts'
import { fieldLabel, wordOf } from '../language/values.ts'
import { Time } from '../pieces/time.tsx'
import { FinishTask } from '../task/finish-task.tsx'
import classes from './home.module.css'

interface Item {
  entityId: string
  title: string
  detail: string | null
  at: string | null
}

interface WidgetItemsProps {
  items: readonly Item[]
  kind: DashboardWidgetKind
  isEmbedded: boolean
}

const maxItems = 6
// The outcome of a call, or its status while it has none.
const callResult = (detail: string) => wordOf({ ...callWords.status, ...callWords.outcome }, detail.toUpperCase())

export function WidgetItems({ items, kind, isEmbedded }: WidgetItemsProps) {
  const isTask = kind === 'TASKS_DUE' && !isEmbedded
  if (items.length === 0)
    return (
      <Text size="sm" c="dimmed" py="lg">
        {homeWords.fills[kind]}
      </Text>
    )
  return (
    <ul className={classes.items}>
      {items.slice(0, maxItems).map(item => (
        <li key={item.entityId} className={isTask ? classes.task : undefined}>
          {isTask && <FinishTask task={{ id: item.entityId, title: item.title, status: 'OPEN' }} />}
          <ItemLink kind={kind} id={item.entityId} isEmbedded={isEmbedded}>
            <span className={classes.itemTitle}>{kind === 'PENDING_SUGGESTIONS' ? fieldLabel(item.title) : item.title}</span>
            <span className={classes.itemDetail}>{kind === 'RECENT_CALLS' && item.detail ? callResult(item.detail) : item.detail}</span>
            <span className={classes.itemAt}>{item.at && <Time at={item.at} isPlanned={kind === 'TASKS_DUE'} />}</span>
          </ItemLink>
        </li>
      ))}
    </ul>
  )
}

function ItemLink({ kind, id, isEmbedded, children }: { kind: DashboardWidgetKind; id: string; isEmbedded: boolean; children: ReactNode }) {
  if (isEmbedded) return <span className={classes.item}>{children}</span>
  if (kind === 'RECENT_CONTACTS')
    return (
      <Link to="/contacts/$contactId" params={{ contactId: id }} className={classes.item}>
        {children}
      </Link>
    )
  if (kind === 'PENDING_SUGGESTIONS')
    return (
      <Link to="/suggestions" search={{ open: id }} className={classes.item}>
        {children}
      </Link>
    )
  if (kind === 'TASKS_DUE')
    return (
      <Link to="/tasks" search={{ open: id }} className={classes.item}>
        {children}
      </Link>
    )
  return (
    <Link to="/calls/$callId" params={{ callId: id }} className={classes.item}>
      {children}
    </Link>
  )
}
