// What floats above the screens: notifications and dialogs. Loaded beside the first screen, which is not made to wait for them.

import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'
import { useEffect } from 'react'
import { dialogsStand } from '../pieces/confirm.tsx'

export default function Overlays() {
  // Runs after the effects of the provider below, which listens from then on.
  useEffect(dialogsStand, [])
  return (
    <>
      <Notifications position="bottom-center" autoClose={6000} zIndex={400} />
      {/* Dialogs are opened by `modals.open`, which reaches the provider by an event: nothing has to stand below it. */}
      <ModalsProvider>{null}</ModalsProvider>
    </>
  )
}
