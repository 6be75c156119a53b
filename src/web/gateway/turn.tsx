// A turn of a conversation. Text from outside stands in a frame, and a tool call is folded to one line.

import { Box, Code, Group, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconChevronDown, IconChevronRight, IconTool } from '@tabler/icons-react'
import type { AgentConversationQuery } from '../generated/operations.ts'
import { cutText } from '../language/characters.ts'
import { assistantPageWords } from '../language/en/screens/assistant.ts'
import { Time } from '../pieces/time.tsx'
import classes from './gateway.module.css'
import { partsOf } from './untrusted.ts'

type ShownTurn = NonNullable<AgentConversationQuery['agentSession']>['turns']['nodes'][number]

export function Turn({ turn, onOpenRun }: { turn: ShownTurn; onOpenRun(runId: string): void }) {
  if (turn.role === 'TOOL') return <ToolCall turn={turn} />
  return (
    <Box className={classes.turn}>
      <Group gap="xs">
        <Text size="xs" fw={500}>
          {turn.role === 'ASSISTANT' ? assistantPageWords.conversations.assistant : assistantPageWords.conversations.input}
        </Text>
        <Text size="xs" c="dimmed">
          <Time at={turn.createdAt} />
        </Text>
        {turn.role === 'USER' && (
          <UnstyledButton onClick={() => onOpenRun(turn.runId)}>
            <Text size="xs" td="underline" c="dimmed">
              {assistantPageWords.run}
            </Text>
          </UnstyledButton>
        )}
      </Group>
      <Said text={turn.text} />
    </Box>
  )
}

/** Text in which each passage from outside stands in a frame with its source. */
export function Said({ text }: { text: string }) {
  return partsOf(text).map((part, index) =>
    part.source === null ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order.
      <p key={index} className={classes.said} dir="auto">
        {part.text}
      </p>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order.
      <Box key={index} component="figure" className={classes.outside} mx={0}>
        <Group component="figcaption" gap={4} wrap="nowrap">
          <IconAlertTriangle size={14} aria-hidden />
          <Text size="xs" fw={500}>
            {assistantPageWords.conversations.outside} {part.source}
          </Text>
        </Group>
        <p className={classes.said} dir="auto">
          {part.text}
        </p>
      </Box>
    ),
  )
}

function ToolCall({ turn }: { turn: ShownTurn }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  const result = textOf(turn.toolOutput) || turn.text
  return (
    <Box className={classes.turn}>
      <UnstyledButton className={classes.tool} onClick={toggle} aria-expanded={isOpen}>
        <Group gap={6} wrap="nowrap">
          <Chevron size={14} aria-hidden />
          <IconTool size={14} aria-hidden />
          <Text size="xs" fw={500} ff="monospace" flex="none">
            {turn.toolName ?? 'tool'}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {result}
          </Text>
        </Group>
      </UnstyledButton>
      {isOpen && (
        <>
          <Code block className={classes.payload} mt={4}>
            {JSON.stringify(turn.toolInput ?? null, null, 2)}
          </Code>
          <Code block className={classes.payload} mt={4}>
            {turn.toolOutput == null ? turn.text : JSON.stringify(turn.toolOutput, null, 2)}
          </Code>
        </>
      )}
    </Box>
  )
}

const textOf = (value: unknown): string => {
  if (value == null) return ''
  return cutText(typeof value === 'string' ? value : JSON.stringify(value), 200)
}
