// The choice of notifications for this browser. The browser asks for permission at the click.

import { Switch } from '@mantine/core'
import { useState } from 'react'
import { canNotify, isNotifying, setNotifying } from '../inbox-item/browser-notices.ts'
import { inboxWords } from '../language/en/inbox.ts'

export function BrowserNotices() {
  const [isOn, setOn] = useState(isNotifying)
  if (!canNotify()) return null
  return (
    <Switch
      size="xs"
      label={inboxWords.notify}
      checked={isOn}
      onChange={event => void setNotifying(event.currentTarget.checked).then(setOn)}
    />
  )
}
