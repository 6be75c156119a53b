// The choice of notifications for this browser. The browser asks for permission at the click.

import { Switch } from '@mantine/core'
import { useState } from 'react'
import { inboxWords } from '../language/en/inbox.ts'
import { canNotify, isNotifying, setNotifying } from './browser-notices.ts'

export function BrowserSwitch() {
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
