// A row of the inbox: the sentence as a link to its subject, and buttons that finish and snooze it.

import { ActionIcon, Group, Text } from '@mantine/core'
import {
  IconAt,
  IconCheck,
  IconClock,
  IconCoins,
  IconFileImport,
  IconListCheck,
  IconPhone,
  IconRefresh,
  IconSearch,
  IconUserCheck,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import { loadPart } from '../app/loaded.ts'
import type { InboxKind } from '../generated/schema.ts'
import { ItemLink } from '../inbox-item/item-link.tsx'
import { detailOf, type InboxRow, sentenceOf } from '../inbox-item/sentence.ts'
import { inboxWords } from '../language/en/inbox.ts'
import { opensLater } from '../pieces/opens-later.tsx'
import { exact, Time } from '../pieces/time.tsx'
import { FinishTask } from '../task/finish-task.tsx'
import classes from './inbox.module.css'

const SnoozeMenu = opensLater(() => loadPart(() => import('./snooze-menu.tsx')))

const icons: Readonly<Record<InboxKind, typeof IconAt>> = {
  ASSIGNED: IconUserCheck,
  MENTIONED: IconAt,
  REMINDER_DUE: IconListCheck,
  CALL_ENDED: IconPhone,
  JOB_ENDED: IconSearch,
  IMPORT_ENDED: IconFileImport,
  BULK_CHANGE_ENDED: IconUsers,
  CREDITS_LOW: IconCoins,
  WEBHOOK_FAILING: IconWebhook,
}

interface ItemRowProps {
  item: InboxRow
  isOff: boolean
  isSnoozing: boolean
  onSnoozing(isOpen: boolean): void
  onDone(): void
  onSnooze(until: Date): void
  onWake(): void
  /** The task of the item is finished, or open again. */
  onTask(isFinished: boolean): void
}

export function ItemRow({ item, isOff, isSnoozing, onSnoozing, onDone, onSnooze, onWake, onTask }: ItemRowProps) {
  const Icon = icons[item.kind]
  const detail = detailOf(item)
  const isDone = item.inboxState === 'DONE'
  const isOpenTask = !isDone && item.subjectType === 'contact_task' && item.count === 1 && !item.isSubjectGone
  const isFailed = item.inboxResult === 'FAILED' || item.kind === 'CREDITS_LOW'
  return (
    <li className={classes.item} data-item={item.id}>
      {isOpenTask ? (
        <FinishTask task={{ id: item.subjectId, title: item.inboxTitle ?? inboxWords.untitled, status: 'OPEN' }} onFinished={onTask} />
      ) : (
        <Icon className={classes.icon} data-failed={isFailed || undefined} aria-hidden />
      )}
      <div className={classes.words}>
        <ItemLink item={item} className={classes.link}>
          {sentenceOf(item)}
        </ItemLink>
        {detail && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {detail}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" className={classes.time}>
        {item.snoozedUntil ? inboxWords.comesBack(exact(item.snoozedUntil)) : <Time at={item.shownAt} />}
      </Text>
      <Group gap={4} wrap="nowrap">
        {item.inboxState === 'OPEN' && (
          <SnoozeMenu
            isOpen={isSnoozing}
            onOpen={onSnoozing}
            onSnooze={onSnooze}
            target={
              <ActionIcon variant="subtle" aria-label={inboxWords.snooze} title={inboxWords.snooze} disabled={isOff}>
                <IconClock />
              </ActionIcon>
            }
          />
        )}
        {item.inboxState === 'SNOOZED' && (
          <ActionIcon variant="subtle" aria-label={inboxWords.wake} title={inboxWords.wake} disabled={isOff} onClick={onWake}>
            <IconRefresh />
          </ActionIcon>
        )}
        <ActionIcon
          variant="subtle"
          aria-label={isDone ? inboxWords.reopen : inboxWords.done}
          title={isDone ? inboxWords.reopen : inboxWords.done}
          disabled={isOff}
          onClick={onDone}
        >
          {isDone ? <IconRefresh /> : <IconCheck />}
        </ActionIcon>
      </Group>
    </li>
  )
}
