// The transcript in two columns: the agent at the left, the other person at the right. It follows new lines until somebody scrolls up.

import { Box, Button, Text } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import type { TranscriptRole } from '../../generated/schema.ts'
import { callWords } from '../../language/en/calls.ts'
import { callPageWords } from '../../language/en/screens/calls.ts'
import { minutes } from '../call-status.tsx'
import type { ShownCall } from './shown.ts'
import classes from './transcript.module.css'

interface TranscriptProps {
  lines: ShownCall['transcript']
  isLive: boolean
  agent: string
  callee: string
  /** In place of the lines, before there are any. */
  emptyText: string
}

// A reader this close to the end is taken to follow the call.
const nearPixels = 40

export function Transcript({ lines, isLive, agent, callee, emptyText }: TranscriptProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(isLive)
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new line.
  useLayoutEffect(() => {
    if (isFollowing) toEnd()
  }, [lines.length, isFollowing])
  const onScroll = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {}
    setFollowing(isLive && scrollHeight - scrollTop - clientHeight < nearPixels)
  }
  const names: Partial<Record<TranscriptRole, string>> = { AGENT: agent, USER: callee }
  return (
    <Box className={classes.frame}>
      <Box className={classes.voices} aria-hidden>
        <Text size="xs" fw={500} truncate>
          {agent}
        </Text>
        <Text size="xs" fw={500} truncate>
          {callee}
        </Text>
      </Box>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a box that scrolls. */}
      <div ref={box} className={classes.box} role="log" aria-label={callPageWords.transcript} tabIndex={0} onScroll={onScroll}>
        {lines.length === 0 && (
          <Text c="dimmed" size="sm" ta="center" py="xl">
            {emptyText}
          </Text>
        )}
        {lines.map(({ seq, role, text, startMs }) => (
          <div key={seq} className={classes.line} data-role={role}>
            <Text size="xs" c="dimmed" className={classes.at}>
              <span className={classes.speaker}>{names[role] ?? callWords.speaker[role]} </span>
              {startMs !== null && minutes(startMs / 1000)}
            </Text>
            <p className={classes.said} dir="auto">
              {text}
            </p>
          </div>
        ))}
      </div>
      {isLive && !isFollowing && (
        <Button className={classes.follow} variant="default" leftSection={<IconArrowDown />} onClick={() => setFollowing(true)}>
          {callPageWords.follow}
        </Button>
      )}
    </Box>
  )
}
