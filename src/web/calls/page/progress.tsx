// The strip above a call: placed, dialed, answered and over, each with its time. The latest step is marked.

import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { callPageWords } from '../../language/en/screens/calls.ts'
import { zonedFormat } from '../../language/zone.ts'
import { exact } from '../../pieces/time.tsx'
import { isOver, minutes, stateOf } from '../call-status.tsx'
import classes from './progress.module.css'
import type { ShownCall } from './shown.ts'

const clock = zonedFormat({ hour: 'numeric', minute: '2-digit', second: '2-digit' })

interface Step {
  label: string
  at: string | null
}

export function Progress({ call }: { call: ShownCall }) {
  const ended = isOver(call.status)
  const steps: Step[] = [
    { label: callPageWords.columns.placed, at: call.createdAt },
    { label: call.status === 'RINGING' ? callPageWords.progress.ringing : callPageWords.progress.dialed, at: call.dispatchedAt },
    { label: callPageWords.progress.answered, at: call.answeredAt },
    { label: ended ? stateOf(call) : callPageWords.progress.over, at: ended ? call.endedAt : null },
  ]
  const current = steps.findLastIndex(({ at }) => at !== null)
  return (
    <ol className={classes.strip} aria-label={callPageWords.progress.title}>
      {steps.map(({ label, at }, index) => (
        <li
          key={label}
          className={classes.step}
          data-reached={at !== null || undefined}
          data-failed={(index === current && call.status === 'FAILED') || undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          <Text size="sm" fw={index === current ? 500 : 400} component="span" truncate display="block">
            {label}
          </Text>
          <Text size="xs" c="dimmed" component="span" truncate display="block">
            {at ? <time dateTime={at}>{index === 0 ? exact(at) : clock(new Date(at))}</time> : textOfSkipped(index, current, ended)}
          </Text>
        </li>
      ))}
      <li className={classes.duration}>
        <Text size="sm" fw={500} component="span" display="block">
          <Duration call={call} />
        </Text>
        <Text size="xs" c="dimmed" component="span" display="block">
          {callPageWords.progress.talked}
        </Text>
      </li>
    </ol>
  )
}

const textOfSkipped = (index: number, current: number, ended: boolean) => (ended && index < current ? callPageWords.progress.never : ' ')

function Duration({ call: { status, durationSeconds, answeredAt } }: { call: ShownCall }) {
  const isRunning = status === 'IN_PROGRESS' && answeredAt !== null
  const now = useSecond(isRunning)
  if (isRunning) return minutes((now - new Date(answeredAt).getTime()) / 1000)
  return minutes(durationSeconds ?? 0)
}

function useSecond(isOn: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}
