// The page of a call: its progress, transcript and result, which follow the call while it runs.

import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPhoneOff } from '@tabler/icons-react'
import { useRead } from '../../data/use-read.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { ActionsBelow, useIsActionsBelow } from '../../frame/actions.tsx'
import { Header } from '../../frame/header.tsx'
import { CallPageDocument, CancelCallDocument } from '../../generated/documents/calls.ts'
import { callWords } from '../../language/en/calls.ts'
import { callPageWords } from '../../language/en/screens/calls.ts'
import { confirm } from '../../pieces/confirm.ts'
import { ButtonLink } from '../../pieces/links.tsx'
import { UnreadPage } from '../../pieces/states/unread.tsx'
import { useMe } from '../../session/use-me.ts'
import { CallState, calledName, isOver } from '../call-status.tsx'
import { callRoute } from '../route.tsx'
import { CallFacts } from './facts.tsx'
import { Held } from './held.tsx'
import { Progress } from './progress.tsx'
import { CallResult } from './result.tsx'
import classes from './screen.module.css'
import type { ShownCall } from './shown.ts'
import { Transcript } from './transcript.tsx'

export function CallScreen() {
  const { callId } = callRoute.useParams()
  const read = useRead(CallPageDocument, { id: callId })
  const call = read.data?.call
  // The cache may have only the fields of the list's row; the page waits for the others.
  if (!call?.transcript) return <UnreadPage read={read} noun="call" title={call ? calledName(call) : callPageWords.facts.call} count={8} />
  return <Shown key={call.id} call={call} />
}

function Shown({ call }: { call: ShownCall }) {
  const name = calledName(call)
  const isBelow = useIsActionsBelow()
  // In one column people look for the result of a call first, and scroll to its transcript.
  const isColumn = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false }) ?? false
  const isResultFirst = isColumn && isOver(call.status)
  const main = isOver(call.status) ? <Back /> : <Cancel call={call} />
  return (
    <>
      <Header title={name} views={<StateBeside call={call} />} actions={isBelow ? undefined : main} />
      <Progress call={call} />
      <Held call={call} />
      <Box className={classes.body}>
        {isResultFirst && (
          <Stack className={classes.result} gap="lg">
            <CallResult call={call} />
          </Stack>
        )}
        <Transcript
          lines={call.transcript}
          isLive={!isOver(call.status)}
          callee={name}
          agent={call.voiceAgent?.name ?? callWords.speaker.AGENT}
          emptyText={emptyText(call)}
        />
        <CallFacts call={call} hasResult={!isResultFirst} />
      </Box>
      {isBelow && (
        <ActionsBelow>
          {call.contact && (
            <ButtonLink to="/contacts/$contactId" params={{ contactId: call.contact.id }} variant="default">
              {callWords.openContact}
            </ButtonLink>
          )}
          {main}
        </ActionsBelow>
      )}
    </>
  )
}

/** The sentence in place of the transcript, until somebody speaks. */
function emptyText(call: ShownCall): string {
  const { soon } = callWords
  if (isOver(call.status)) return soon.nothing
  if (call.status === 'RINGING') return soon.ringing
  if (call.status === 'IN_PROGRESS') return soon.answered
  if (call.dispatchState === 'SCHEDULED') return soon.scheduled
  if (call.dispatchState === 'PENDING') return soon.queued
  return soon.calling(call.isTrial ? soon.simulator : calledName(call))
}

function StateBeside({ call }: { call: ShownCall }) {
  return (
    <Text size="sm" component="span" role="status" miw={0} truncate>
      {call.isTrial && `${callWords.trial} · `}
      <CallState call={call} />
    </Text>
  )
}

const Back = () => (
  <ButtonLink to="/calls" variant="default">
    {callWords.allCalls}
  </ButtonLink>
)

function Cancel({ call }: { call: ShownCall }) {
  const { isOff } = useMe()
  const { run, isRunning, failure } = useMutationWithProblems(CancelCallDocument)
  const isTalking = call.status === 'IN_PROGRESS'
  const verb = isTalking ? callPageWords.cancel.hangUp : callPageWords.cancel.cancelCall
  const cancel = () =>
    confirm({
      title: isTalking ? callPageWords.cancel.hangUpOn(calledName(call)) : callPageWords.cancel.cancelTo(calledName(call)),
      loses: isTalking ? callPageWords.cancel.endsTalk : callPageWords.cancel.neverDialed,
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
      <Button color="red" variant="light" leftSection={<IconPhoneOff />} loading={isRunning} disabled={isOff} onClick={cancel}>
        {verb}
      </Button>
    </Group>
  )
}
