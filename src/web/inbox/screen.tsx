// The inbox: what the person should know of, by day. E finishes the item in focus, H snoozes it.

import { Anchor, Box, Button, Kbd, SegmentedControl, Text } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { linkTo } from '../address/go.ts'
import { useConnection } from '../data/use-connection.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { Header, Toolbar } from '../frame/header.tsx'
import { FinishInboxDocument, InboxDocument } from '../generated/documents/inbox.ts'
import type { InboxState } from '../generated/schema.ts'
import { BrowserSwitch } from '../inbox-item/browser-switch.tsx'
import type { InboxRow } from '../inbox-item/sentence.ts'
import { useInboxItem } from '../inbox-item/use-inbox-item.ts'
import { announce } from '../keyboard/announce.tsx'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { inboxWords } from '../language/en/inbox.ts'
import { notificationWords } from '../language/en/settings/notifications.ts'
import { countText } from '../language/format.ts'
import type { Change } from '../live/change.ts'
import { useIsAway } from '../live/connectivity.ts'
import { Empty } from '../pieces/states/empty.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'
import { forgetCaller } from '../session/caller.ts'
import { useMe } from '../session/use-me.ts'
import { byDay } from './days.ts'
import classes from './inbox.module.css'
import { ItemRow } from './item-row.tsx'
import { inboxRoute } from './route.tsx'

const isChangedBy = ({ type }: Change) => type.startsWith('INBOX_ITEM_')
const states = ['OPEN', 'SNOOZED', 'DONE'] as const satisfies readonly InboxState[]

export function InboxScreen() {
  const { show = 'OPEN' } = inboxRoute.useSearch()
  const { isGuest } = useMe()
  const navigate = useNavigate({ from: inboxRoute.fullPath })
  if (isGuest)
    return (
      <>
        <Header title={inboxWords.title} />
        <Empty
          sentence={inboxWords.guest}
          action={
            <Button component="a" {...linkTo('/sign-in', forgetCaller)}>
              {inboxWords.signUp}
            </Button>
          }
        />
      </>
    )
  return (
    <InboxList
      key={show}
      show={show}
      onShow={next => void navigate({ search: { show: next === 'OPEN' ? undefined : next }, replace: true })}
    />
  )
}

interface InboxListProps {
  show: InboxState
  onShow(show: InboxState): void
}

function InboxList({ show, onShow }: InboxListProps) {
  const isAway = useIsAway()
  const { finish, follow, snooze, wake } = useInboxItem()
  const finishAll = useMutationWithProblems(FinishInboxDocument)
  const [snoozing, setSnoozing] = useState<string | null>(null)
  const list = useConnection({ document: InboxDocument, variables: { state: show, first: 50 }, pick: data => data.inbox, isChangedBy })
  const items = useRef<HTMLDivElement>(null)
  // An item that was finished leaves before the server says so.
  const rows = list.rows.filter(({ inboxState }) => inboxState === show)

  const inFocus = (): InboxRow | undefined => {
    const id = document.activeElement?.closest('[data-item]')?.getAttribute('data-item')
    return rows.find(row => row.id === id) ?? rows[0]
  }
  /** Keys go on with the next item. */
  const leave = (item: InboxRow) => {
    const index = rows.indexOf(item)
    const next = rows[index + 1] ?? rows[index - 1]
    items.current?.querySelector<HTMLElement>(`[data-item="${next?.id}"] a`)?.focus()
  }
  const done = (item: InboxRow) => {
    leave(item)
    finish(item)
  }
  useShortcut('E', inboxWords.keyDone, () => {
    const item = inFocus()
    if (item && !isAway) done(item)
  })
  useShortcut('H', inboxWords.keySnooze, () => {
    const item = inFocus()
    if (item && !isAway && show !== 'DONE') setSnoozing(item.id)
  })
  const onFinishAll = async () => {
    const { data } = await finishAll.run({ input: {} })
    if (data) announce(inboxWords.finishedAll(countText(data.finishInbox.finishedCount, inboxWords.item)))
    list.refresh()
  }
  return (
    <>
      <Header
        title={inboxWords.title}
        actions={
          show === 'OPEN' &&
          rows.length > 1 && (
            <Button
              variant="default"
              leftSection={<IconChecks />}
              disabled={isAway || finishAll.isRunning}
              onClick={() => void onFinishAll()}
            >
              {inboxWords.finishAll}
            </Button>
          )
        }
      />
      <Toolbar>
        <SegmentedControl
          size="xs"
          aria-label={inboxWords.title}
          transitionDuration={0}
          data={states.map(value => ({ value, label: inboxWords.lists[value] }))}
          value={show}
          onChange={value => onShow(states.find(one => one === value) ?? 'OPEN')}
        />
        <BrowserSwitch />
        <Anchor component={Link} to="/settings/notifications" size="xs">
          {notificationWords.choose}
        </Anchor>
        <Text size="xs" c="dimmed" ml="auto" visibleFrom="sm">
          <Kbd size="xs">E</Kbd> {inboxWords.keysDone}, <Kbd size="xs">H</Kbd> {inboxWords.keysSnooze}
        </Text>
      </Toolbar>
      <Box className={classes.list} ref={items}>
        {list.failure && <ErrorNotice failure={list.failure} onRetry={list.refresh} />}
        {list.isLoading && <LateSkeleton height={32} count={6} />}
        {!list.isLoading && !list.failure && rows.length === 0 && <Empty sentence={inboxWords.empty[show]} />}
        {byDay(rows).map(([day, ofDay]) => (
          <section key={day} aria-label={day}>
            <Text component="h2" className={classes.day}>
              {day}
            </Text>
            <ul className={classes.items}>
              {ofDay.map(item => (
                <ItemRow
                  key={item.id}
                  item={item}
                  isOff={isAway}
                  isSnoozing={snoozing === item.id}
                  onSnoozing={isOpen => setSnoozing(isOpen ? item.id : null)}
                  onDone={() => done(item)}
                  onSnooze={until => {
                    leave(item)
                    snooze(item, until)
                  }}
                  onWake={() => wake(item)}
                  onTask={isFinished => {
                    if (isFinished) leave(item)
                    follow(item, isFinished)
                  }}
                />
              ))}
            </ul>
          </section>
        ))}
        {list.hasMore && (
          <Button variant="subtle" onClick={list.loadMore} loading={list.isLoadingMore}>
            {inboxWords.more}
          </Button>
        )}
      </Box>
    </>
  )
}
