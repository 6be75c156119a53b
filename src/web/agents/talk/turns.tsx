// The turns of both sides, with the time and the tokens of each answer. Follows the newest line.

import { Text } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import type { TalkFragment } from '../../generated/operations.ts'
import { talkWords } from '../../language/en/screens/talk.ts'
import { countText, decimalText } from '../../language/format.ts'
import classes from './talk.module.css'

type Turn = TalkFragment['turns'][number]

interface TurnsProps {
  talk: TalkFragment
  agent: string
  /** Said, and not answered yet. */
  pending: string | null
  isThinking: boolean
}

export function Turns({ talk, agent, pending, isThinking }: TurnsProps) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new line.
  useLayoutEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [talk.turns.length, pending])
  const hasModel = talk.turns.some(({ model }) => model !== null)
  return (
    <>
      {!hasModel && (
        <Text size="sm" c="dimmed" mb="xs">
          {talkWords.interviewer}
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a box that scrolls. */}
      <div ref={box} className={classes.turns} role="log" aria-label={talkWords.conversation} tabIndex={0}>
        {talk.turns.map(turn =>
          turn.role === 'TOOL' ? (
            <Text key={turn.seq} size="xs" c="dimmed">
              {talkWords.used((turn.toolName ?? '').replaceAll('_', ' '), secondsOf(turn))}
            </Text>
          ) : (
            <Line key={turn.seq} isAgent={turn.role === 'AGENT'} speaker={turn.role === 'AGENT' ? agent : talkWords.you} text={turn.text}>
              {turn.model !== null && costOf(turn)}
            </Line>
          ),
        )}
        {pending !== null && <Line isAgent={false} speaker={talkWords.you} text={pending} />}
        {isThinking && (
          <Text size="xs" c="dimmed">
            {talkWords.thinking} …
          </Text>
        )}
      </div>
    </>
  )
}

interface LineProps {
  isAgent: boolean
  speaker: string
  text: string
  children?: React.ReactNode
}

const Line = ({ isAgent, speaker, text, children }: LineProps) => (
  <div className={classes.turn} data-agent={isAgent || undefined}>
    <span className={classes.speaker}>{speaker}: </span>
    <p className={classes.said} dir="auto">
      {text}
    </p>
    {children && (
      <Text size="xs" c="dimmed" component="span">
        {children}
      </Text>
    )}
  </div>
)

const secondsOf = ({ latencyMs }: Turn) => decimalText(Math.round((latencyMs ?? 0) / 100) / 10)

function costOf(turn: Turn): string {
  const tokens = turn.inputTokens + turn.outputTokens
  return [talkWords.seconds(secondsOf(turn)), tokens > 0 && countText(tokens, talkWords.token)].filter(Boolean).join(' · ')
}
