// Sessions as conversations: first the main session, then sessions of hooks and people.

import { Box, Button, NavLink, Text } from '@mantine/core'
import { useState } from 'react'
import { useConnection } from '../data/use-connection.ts'
import { useRead } from '../data/use-read.ts'
import { AgentConversationDocument, AgentSessionsDocument } from '../generated/documents/gateway.ts'
import type {} from '../generated/operations.ts'
import { assistantPageWords } from '../language/en/screens/assistant.ts'
import type { Change } from '../live/change.ts'
import { Empty } from '../pieces/states/empty.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { Time } from '../pieces/time.tsx'
import classes from './gateway.module.css'
import { Turn } from './turn.tsx'

interface ConversationsProps {
  sessionKey: string
  onChoose(key: string): void
  onOpenRun(id: string): void
}

const isChangedBy = ({ type }: Change) => type.startsWith('AGENT_RUN_')

export function Conversations({ sessionKey, onChoose, onOpenRun }: ConversationsProps) {
  const list = useConnection({ document: AgentSessionsDocument, variables: { first: 50 }, pick: data => data.agentSessions, isChangedBy })
  if (list.failure && list.rows.length === 0)
    return (
      <Box p="md">
        <ErrorNotice failure={list.failure} onRetry={list.refresh} />
      </Box>
    )
  if (!list.isLoading && list.rows.length === 0) return <Empty sentence={assistantPageWords.conversations.empty} />
  return (
    <Box className={classes.conversations}>
      <Box component="nav" aria-label={assistantPageWords.conversations.sessions} className={classes.sessions}>
        {list.rows.map(session => (
          <NavLink
            key={session.id}
            component="button"
            label={session.isMain ? assistantPageWords.conversations.main : session.key}
            description={
              <>
                {assistantPageWords.conversations.turns(session.turnCount)} <Time at={session.updatedAt} />
              </>
            }
            active={session.key === sessionKey}
            aria-current={session.key === sessionKey}
            onClick={() => onChoose(session.key)}
            styles={{ label: { overflow: 'hidden', textOverflow: 'ellipsis' } }}
          />
        ))}
        {list.hasMore && (
          <Button variant="subtle" fullWidth loading={list.isLoadingMore} onClick={list.loadMore}>
            {assistantPageWords.conversations.earlierSessions}
          </Button>
        )}
      </Box>
      <Conversation key={sessionKey} sessionKey={sessionKey} onOpenRun={onOpenRun} />
    </Box>
  )
}

const turnsAtOnce = 50

function Conversation({ sessionKey, onOpenRun }: Omit<ConversationsProps, 'onChoose'>) {
  const [last, setLast] = useState(turnsAtOnce)
  const read = useRead(AgentConversationDocument, { key: sessionKey, last })
  const session = read.data?.agentSession
  const turns = session?.turns.nodes ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a box that scrolls.
    <section className={classes.turns} aria-label={assistantPageWords.conversations.conversation} tabIndex={0}>
      {(read.isReading || read.failure) && !session && <Unread read={read} height={48} />}
      {session && turns.length < session.turnCount && last < 100 && (
        <Button variant="default" mb="md" loading={read.isReading} onClick={() => setLast(100)}>
          {assistantPageWords.conversations.earlierTurns}
        </Button>
      )}
      {turns.map(turn => (
        <Turn key={turn.id} turn={turn} onOpenRun={onOpenRun} />
      ))}
      {session && turns.length === 0 && <Text c="dimmed">{assistantPageWords.conversations.nothing}</Text>}
    </section>
  )
}
