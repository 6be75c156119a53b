// The page of a voice agent: its form, and beside it a conversation, a trial call, the last calls and the signing secret.

import { Alert, Box, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconLoader } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { loadPart } from '../app/loaded.ts'
import { useRead } from '../data/use-read.ts'
import { Header } from '../frame/header.tsx'
import { VoiceAgentPageDocument } from '../generated/documents/agents.ts'
import type { VoiceAgentSetupFragment } from '../generated/operations.ts'
import { agentWords } from '../language/en/agents.ts'
import { callWords } from '../language/en/calls.ts'
import { agentPageWords } from '../language/en/screens/agents.ts'
import { UnreadPage } from '../pieces/states/unread.tsx'
import { AgentActions } from './agent-actions.tsx'
import classes from './agent-screen.module.css'
import { AgentState } from './agent-status.tsx'
import { AgentEditor } from './form/agent-form.tsx'
import { LastCalls } from './last-calls.tsx'
import { agentRoute } from './route.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { TrialCall } from './trial-call.tsx'

const Talk = lazy(() => loadPart(() => import('./talk/talk.tsx')))

export function AgentScreen() {
  const { agentId } = agentRoute.useParams()
  const read = useRead(VoiceAgentPageDocument, { id: agentId })
  const agent = read.data?.voiceAgent
  // The cache may have only the fields of the list's row; the page waits for the others.
  if (!agent?.extraction) return <UnreadPage read={read} noun="agent" title={agent?.name ?? agentPageWords.agent} count={8} />
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
      {!isArchived && agent.warnings.length > 0 && <Warnings sentences={agent.warnings} />}
      <Box className={classes.body}>
        <Box className={classes.editor}>
          {isArchived ? (
            <Text c="dimmed">{agentPageWords.archived}</Text>
          ) : (
            <AgentEditor
              key={agent.id}
              agent={agent}
              onWritten={() =>
                notifications.show({ message: agentPageWords.saved, closeButtonProps: { 'aria-label': agentPageWords.dismiss } })
              }
            />
          )}
        </Box>
        <Stack component="aside" gap="lg" className={classes.aside} aria-label={agentPageWords.about}>
          {!isArchived && (
            <Suspense>
              <Talk key={agent.id} agent={agent} />
            </Suspense>
          )}
          {!isArchived && <TrialCall agent={agent} />}
          <LastCalls agentId={agent.id} />
          {!isArchived && <SigningSecret agent={agent} />}
        </Stack>
      </Box>
    </>
  )
}

function Warnings({ sentences }: { sentences: readonly string[] }) {
  return (
    <Alert color="amber" variant="light" radius={0} role="status" icon={<IconAlertTriangle />} title={agentWords.check}>
      {sentences.map(sentence => (
        <div key={sentence}>{sentence}</div>
      ))}
    </Alert>
  )
}

function Provisioning({ agent: { status, statusReason, provider } }: { agent: VoiceAgentSetupFragment }) {
  if (status === 'PROVISIONING')
    return (
      <Alert color="amber" variant="light" radius={0} role="status" icon={<IconLoader />}>
        {callWords.connecting(callWords.provider[provider])} {statusReason}
      </Alert>
    )
  if (!statusReason || status === 'ACTIVE') return null
  return (
    <Alert color={status === 'FAILED' ? 'red' : 'amber'} variant="light" radius={0} role="alert" icon={<IconAlertTriangle />}>
      {statusReason}
    </Alert>
  )
}
