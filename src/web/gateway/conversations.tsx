// Sessions as conversations: the main one first, then those of hooks and people.

import { Box, Button, NavLink, Text } from '@mantine/core'
import { useState } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../data/failure.ts'
import { useConnection } from '../data/use-connection.ts'
import { AgentConversationDocument, AgentSessionsDocument } from '../generated/documents/gateway.ts'
import type { AgentSessionsQuery } from '../generated/operations.ts'
import type { Change } from '../live/change.ts'
import { Empty } from '../pieces/empty.tsx'
import { ErrorNotice } from '../pieces/error-notice.tsx'
import { LateSkeleton } from '../pieces/late-skeleton.tsx'
import { Time } from '../pieces/time.tsx'
import classes from './gateway.module.css'
import { Turn } from './turn.tsx'

interface ConversationsProps {
  sessionKey: string
  onChoose(key: string): void
  onOpenRun(id: string): void
}

const pick = (data: AgentSessionsQuery) => data.agentSessions
const isChangedBy = ({ type }: Change) => type.startsWith('AGENT_RUN_')

export function Conversations({ sessionKey, onChoose, onOpenRun }: ConversationsProps) {
  const list = useConnection({ document: AgentSessionsDocument, variables: { first: 50 }, pick, isChangedBy })
  if (list.failure && list.rows.length === 0)
    return (
      <Box p="md">
        <ErrorNotice failure={list.failure} onRetry={list.refresh} />
      </Box>
    )
  if (!list.isLoading && list.rows.length === 0)
    return <Empty sentence="No agent was woken yet. Wake the main session, or run an agent, and read here what it says." />
  return (
    <Box className={classes.conversations}>
      <Box component="nav" aria-label="Sessions" className={classes.sessions}>
        {list.rows.map(session => (
          <NavLink
            key={session.id}
            component="button"
            label={session.isMain ? 'Main session' : session.key}
            description={
              <>
                {session.turnCount} turns, <Time at={session.updatedAt} />
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
            Earlier sessions
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
  const [{ data, error, fetching }, read] = useQuery({ query: AgentConversationDocument, variables: { key: sessionKey, last } })
  const session = data?.agentSession
  const turns = session?.turns.nodes ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keys.
    <section className={classes.turns} aria-label="Conversation" tabIndex={0}>
      {error && !session && <ErrorNotice failure={failureOf(error)} onRetry={() => read({ requestPolicy: 'network-only' })} />}
      {fetching && !session && <LateSkeleton height={48} count={6} />}
      {session && turns.length < session.turnCount && last < 100 && (
        <Button variant="default" mb="md" loading={fetching} onClick={() => setLast(100)}>
          Earlier turns
        </Button>
      )}
      {turns.map(turn => (
        <Turn key={turn.id} turn={turn} onOpenRun={onOpenRun} />
      ))}
      {session && turns.length === 0 && <Text c="dimmed">Nothing was said in this session yet.</Text>}
    </section>
  )
}
