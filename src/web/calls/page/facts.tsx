// Beside the transcript: the result of the call, the recording and other facts.

import { Anchor, Group, Stack, Text } from '@mantine/core'
import { IconMicrophone, IconMicrophoneOff } from '@tabler/icons-react'
import { useState } from 'react'
import { callWords } from '../../language/en/calls.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { peopleWords } from '../../language/en/people.ts'
import { callPageWords } from '../../language/en/screens/calls.ts'
import { AnchorLink } from '../../pieces/links.tsx'
import { Credits } from '../../pieces/money.tsx'
import { Part } from '../../pieces/part.tsx'
import { Time } from '../../pieces/time.tsx'
import { endedText, isOver, minutes } from '../call-status.tsx'
import { Fact } from './fact.tsx'
import { ProviderEvents } from './provider-events.tsx'
import { ReadAloud } from './read-aloud.tsx'
import { CallResult } from './result.tsx'
import classes from './screen.module.css'
import type { ShownCall } from './shown.ts'

/** `hasResult`: the result does not stand elsewhere on the page. */
export function CallFacts({ call, hasResult }: { call: ShownCall; hasResult: boolean }) {
  return (
    <Stack className={classes.facts} gap="lg" component="aside" aria-label={callPageWords.facts.about}>
      {call.isTrial && (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {callWords.trialSentence}
          </Text>
          <ReadAloud lines={call.transcript} language={call.voiceAgent?.language ?? null} />
        </Stack>
      )}
      {hasResult && <CallResult call={call} />}
      <Recording call={call} />
      <Part title={callPageWords.facts.call}>
        <dl>
          {call.contact && (
            <Fact label={callPageWords.facts.contact}>
              <AnchorLink to="/contacts/$contactId" params={{ contactId: call.contact.id }} inherit>
                {call.contact.fullName ?? call.contact.email ?? contactWords.unnamed}
              </AnchorLink>
            </Fact>
          )}
          <Fact label={callPageWords.columns.number}>{call.toNumber}</Fact>
          {call.fromNumber && <Fact label={callPageWords.facts.from}>{call.fromNumber}</Fact>}
          {call.voiceAgent && (
            <Fact label={callPageWords.columns.agent}>
              <AnchorLink to="/agents/$agentId" params={{ agentId: call.voiceAgent.id }} inherit>
                {call.voiceAgent.name}
              </AnchorLink>
            </Fact>
          )}
          <Fact label={callPageWords.facts.provider}>{callWords.provider[call.provider]}</Fact>
          {call.answeredBy && <Fact label={callPageWords.facts.answeredBy}>{callWords.answeredBy[call.answeredBy]}</Fact>}
          {call.endedReason && <Fact label={callPageWords.facts.ended}>{endedText(call.endedReason)}</Fact>}
          {call.providerReason && <Fact label={callPageWords.facts.providerSaid}>{call.providerReason}</Fact>}
          {call.schedule.earliestAt && (
            <Fact label={callPageWords.facts.notBefore}>
              <Time at={call.schedule.earliestAt} isPlanned />
            </Fact>
          )}
          <Fact label={call.creditsCharged === null ? callPageWords.facts.reserved : callPageWords.columns.cost}>
            <Credits value={call.creditsCharged ?? call.creditsReserved} />
          </Fact>
          <Fact label={callPageWords.facts.placedBy}>{call.createdBy.name ?? peopleWords.actor[call.createdBy.type]}</Fact>
        </dl>
      </Part>
      <ProviderEvents events={call.providerEvents} />
    </Stack>
  )
}

function Recording({ call }: { call: ShownCall }) {
  // Earlier releases kept an address for calls of the simulator, at which there is nothing.
  const isThere = call.provider !== 'SIMULATOR' && call.recordingUrl !== null && /^https?:\/\//i.test(call.recordingUrl)
  const address = isThere ? call.recordingUrl : null
  const Icon = call.record && call.provider !== 'SIMULATOR' ? IconMicrophone : IconMicrophoneOff
  return (
    <Part title={callPageWords.facts.recording}>
      {address?.startsWith('https:') && <Player key={address} address={address} />}
      <Group gap="xs" wrap="nowrap">
        <Icon aria-hidden />
        {address ? (
          <Anchor href={address} target="_blank" rel="noreferrer noopener" size="sm">
            {callPageWords.facts.listen(call.durationSeconds === null ? null : minutes(call.durationSeconds))}
          </Anchor>
        ) : (
          <Text size="sm" c="dimmed">
            {recordingState(call)}
          </Text>
        )}
      </Group>
    </Part>
  )
}

// The browser loads the recording when somebody plays it. Some providers ask for a password or answer with another type: then only the link
// works.
function Player({ address }: { address: string }) {
  const [isRefused, setRefused] = useState(false)
  if (isRefused)
    return (
      <Text size="sm" c="dimmed" mb={4} role="status">
        {callPageWords.facts.notPlayable}
      </Text>
    )
  return (
    // biome-ignore lint/a11y/useMediaCaption: the transcript stands beside it.
    <audio
      className={classes.player}
      controls
      preload="none"
      aria-label={callPageWords.facts.recording}
      src={address}
      onError={() => setRefused(true)}
    />
  )
}

function recordingState({ record, status, provider }: ShownCall): string {
  if (provider === 'SIMULATOR') return callPageWords.facts.simulated
  if (!record) return callPageWords.facts.notRecorded
  return isOver(status) ? callPageWords.facts.noRecording : callPageWords.facts.recordingLater
}
