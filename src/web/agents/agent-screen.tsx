// The page of a voice agent: its editor; beside it a trial, its secret, and its last calls.

import { Alert, Box, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconLoader } from '@tabler/icons-react'
import { useQuery } from 'urql'
import { failureOf } from '../data/failure.ts'
import { Header } from '../frame/header.tsx'
import { VoiceAgentPageDocument } from '../generated/documents/agents.ts'
import type { VoiceAgentSetupFragment } from '../generated/operations.ts'
import { ErrorNotice } from '../pieces/error-notice.tsx'
import { LateSkeleton } from '../pieces/late-skeleton.tsx'
import { NotFound } from '../pieces/not-found.tsx'
import { AgentActions } from './agent-actions.tsx'
import { AgentEditor } from './agent-form.tsx'
import classes from './agent-screen.module.css'
import { AgentState } from './agent-status.tsx'
import { LastCalls } from './last-calls.tsx'
import { agentRoute } from './route.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { TrialCall } from './trial-call.tsx'

export function AgentScreen() {
  const { agentId } = agentRoute.useParams()
  const [{ data, error }, read] = useQuery({ query: VoiceAgentPageDocument, variables: { id: agentId } })
  const agent = data?.voiceAgent
  const failure = error && !agent ? failureOf(error) : null
  if (failure?.code === 'NOT_FOUND' || failure?.code === 'INVALID') return <NotFound noun="agent" />
  if (failure)
    return (
      <Box p="md">
        <ErrorNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      </Box>
    )
  // From the list comes what a row has; the rest is on its way.
  if (!agent?.extraction)
    return (
      <>
        <Header title={agent?.name ?? 'Agent'} />
        <Box p="md">
          <LateSkeleton height={36} count={8} />
        </Box>
      </>
    )
  return <Shown agent={agent} />
}

function Shown({ agent }: { agent: VoiceAgentSetupFragment }) {
  const isArchived = agent.status === 'ARCHIVED'
  return (
    <>
      <Header
        title={agent.name}
        views={
          <Text size="sm" component="span" role="status">
            <AgentState agent={agent} />
          </Text>
        }
        actions={<AgentActions agent={agent} />}
      />
      <Provisioning agent={agent} />
      <Box className={classes.body}>
        <Box className={classes.editor}>
          {isArchived ? (
            <Text c="dimmed">This agent is archived. Its calls can be read; it places no more.</Text>
          ) : (
            <AgentEditor
              key={agent.id}
              agent={agent}
              onWritten={() => notifications.show({ message: 'Agent saved', closeButtonProps: { 'aria-label': 'Dismiss' } })}
            />
          )}
        </Box>
        <Stack component="aside" gap="lg" className={classes.aside} aria-label="About this agent">
          {!isArchived && <TrialCall agent={agent} />}
          <LastCalls agentId={agent.id} />
          {!isArchived && <SigningSecret agent={agent} />}
        </Stack>
      </Box>
    </>
  )
}

function Provisioning({ agent: { status, statusReason, provider } }: { agent: VoiceAgentSetupFragment }) {
  if (status === 'PROVISIONING')
    return (
      <Alert color="amber" variant="light" radius={0} role="status" icon={<IconLoader size={16} stroke={1.5} />}>
        {provider.toLowerCase()} is being told of this agent. {statusReason}
      </Alert>
    )
  if (!statusReason || status === 'ACTIVE') return null
  return (
    <Alert
      color={status === 'FAILED' ? 'red' : 'amber'}
      variant="light"
      radius={0}
      role="alert"
      icon={<IconAlertTriangle size={16} stroke={1.5} />}
    >
      {statusReason}
    </Alert>
  )
}
