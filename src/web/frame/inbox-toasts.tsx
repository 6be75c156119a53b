// Tells of items that come into the inbox while the app is open.

import { Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useClient } from 'urql'
import { newId } from '../data/new-id.ts'
import { InboxItemDocument } from '../generated/documents/frame.ts'
import { UpdateInboxItemDocument } from '../generated/documents/inbox-item.ts'
import { notifyBrowser } from '../inbox-item/browser-notices.ts'
import { ItemLink, wayTo } from '../inbox-item/item-link.tsx'
import { sentenceOf } from '../inbox-item/sentence.ts'
import { announce } from '../keyboard/announce.tsx'
import { errorWords } from '../language/en/errors.ts'
import { inboxWords } from '../language/en/inbox.ts'
import { onChange } from '../live/change.ts'
import classes from './inbox-toasts.module.css'

// An import assigns many at once: more than these are a wall.
const maxAtOnce = 3

export function InboxToasts() {
  const client = useClient()
  const router = useRouter()
  useEffect(() => {
    let shown = 0
    return onChange(({ type, entityId }) => {
      if ((type !== 'INBOX_ITEM_CREATED' && type !== 'INBOX_ITEM_RETURNED') || !entityId || shown >= maxAtOnce) return
      shown++
      void client
        .query(InboxItemDocument, { id: entityId })
        .toPromise()
        .then(({ data }) => {
          const item = data?.inboxItem
          if (!item) return void shown--
          // The page that is open shows the end of the work itself.
          const isShown = document.visibilityState === 'visible' && router.state.location.href === router.buildLocation(wayTo(item)).href
          if (isShown && item.kind.endsWith('_ENDED')) {
            void client.mutation(UpdateInboxItemDocument, { input: { id: item.id, done: true } }, { idempotencyKey: newId() }).toPromise()
            return void shown--
          }
          const ways = data.inboxPreferences.kinds.find(({ kind }) => kind === item.kind)
          const sentence = sentenceOf(item)
          if (ways?.browser) notifyBrowser(item.id, sentence, () => void router.navigate(wayTo(item)))
          if (!ways?.toast) return void shown--
          announce(sentence)
          const id = notifications.show({
            autoClose: 8000,
            closeButtonProps: { 'aria-label': errorWords.dismiss },
            onClose: () => shown--,
            message: (
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm">{sentence}</Text>
                <ItemLink item={item} className={classes.open} onClick={() => notifications.hide(id)}>
                  {inboxWords.open}
                </ItemLink>
              </Group>
            ),
          })
        })
    })
  }, [client, router])
  return null
}
