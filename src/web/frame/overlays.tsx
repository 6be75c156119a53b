// Notifications and dialogs. They are loaded beside the first screen, which does not wait for them.

import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'
import { useEffect } from 'react'
import { dialogsStand } from '../pieces/confirm.ts'
import { InboxToasts } from './inbox-toasts.tsx'

export default function Overlays() {
  // Effects of children run first: the provider below already listens.
  useEffect(dialogsStand, [])
  return (
    <>
      <Notifications position="bottom-center" autoClose={6000} zIndex={400} />
      <InboxToasts />
      {/* An event opens dialogs through the provider, so the app need not be inside of it. */}
      <ModalsProvider>{null}</ModalsProvider>
    </>
  )
}
