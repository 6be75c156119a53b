// The page of a call: how far it is, what is said, and what came of it. All of it follows the call while it runs.

import { Box, Button, Group, Text } from '@mantine/core'
import { IconPhoneOff } from '@tabler/icons-react'
import { useQuery } from 'urql'
import { failureOf } from '../../data/failure.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { Header } from '../../frame/header.tsx'
import { CallPageDocument, CancelCallDocument } from '../../generated/documents/calls.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { confirm } from '../../pieces/confirm.tsx'
import { ErrorNotice } from '../../pieces/error-notice.tsx'
import { LateSkeleton } from '../../pieces/late-skeleton.tsx'
import { ButtonLink } from '../../pieces/links.tsx'
import { NotFound } from '../../pieces/not-found.tsx'
import { useMe } from '../../session/use-me.ts'
import { CallState, calledName, isOver } from '../call-status.tsx'
import { callRoute } from '../route.tsx'
import { CallFacts } from './facts.tsx'
import { Progress } from './progress.tsx'
import classes from './screen.module.css'
import type { ShownCall } from './shown.ts'
import { Transcript } from './transcript.tsx'

export function CallScreen() {
  const { callId } = callRoute.useParams()
  const [{ data, error }, read] = useQuery({ query: CallPageDocument, variables: { id: callId } })
  const failure = error && !data?.call ? failureOf(error) : null
  if (failure?.code === 'NOT_FOUND' || failure?.code === 'INVALID') return <NotFound noun="call" />
  if (failure)
    return (
      <Box p="md">
        <ErrorNotice failure={failure} onRetry={() => read({ requestPolicy: 'network-only' })} />
      </Box>
    )
  const call = data?.call
  // From the list comes what a row has; the rest is on its way.
  if (!call?.transcript)
    return (
      <>
        <Header title={call ? calledName(call) : 'Call'} />
        <Box p="md">
          <LateSkeleton height={28} count={8} />
        </Box>
      </>
    )
  return <Shown key={call.id} call={call} />
}

function Shown({ call }: { call: ShownCall }) {
  const name = calledName(call)
  return (
    <>
      <Header title={name} views={<StateBeside call={call} />} actions={isOver(call.status) ? <Back /> : <Cancel call={call} />} />
      <Progress call={call} />
      <Box className={classes.body}>
        <Transcript lines={call.transcript} isLive={!isOver(call.status)} callee={name} agent={call.voiceAgent?.name ?? 'Agent'} />
        <CallFacts call={call} />
      </Box>
    </>
  )
}

function StateBeside({ call }: { call: ShownCall }) {
  return (
    <Text size="sm" component="span" role="status" miw={0} truncate>
      <CallState call={call} />
    </Text>
  )
}

const Back = () => (
  <ButtonLink to="/calls" variant="default">
    All calls
  </ButtonLink>
)

function Cancel({ call }: { call: ShownCall }) {
  const { mayWrite } = useMe()
  const isAway = useIsAway()
  const { run, isRunning, failure } = useMutationWithProblems(CancelCallDocument)
  const isTalking = call.status === 'IN_PROGRESS'
  const verb = isTalking ? 'Hang up' : 'Cancel call'
  const cancel = () =>
    confirm({
      title: isTalking ? `Hang up on ${calledName(call)}?` : `Cancel the call to ${calledName(call)}?`,
      loses: isTalking ? 'The conversation ends in the middle. What was said so far is kept.' : 'It is not dialled, and not tried again.',
      verb,
      onConfirm: () => void run({ id: call.id }),
    })
  return (
    <Group gap="xs" wrap="nowrap">
      {failure && (
        <Text size="xs" c="red" role="alert" lineClamp={2}>
          {failure.message}
        </Text>
      )}
      <Button
        color="red"
        variant="light"
        leftSection={<IconPhoneOff size={16} stroke={1.5} />}
        loading={isRunning}
        disabled={!mayWrite || isAway}
        onClick={cancel}
      >
        {verb}
      </Button>
    </Group>
  )
}
