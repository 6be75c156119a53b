// The provider's events of a call, folded, for a person who asks why the call has this state. A failed event can be applied again.

import { Button, Spoiler, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { ReplayProviderEventDocument } from '../../generated/documents/calls.ts'
import type { ProviderEventState } from '../../generated/schema.ts'
import { callWords } from '../../language/en/calls.ts'
import { callPageWords } from '../../language/en/screens/calls.ts'
import { nounWords } from '../../language/en/values.ts'
import { countText } from '../../language/format.ts'
import { Status, type Tone } from '../../pieces/status.tsx'
import { Time } from '../../pieces/time.tsx'
import { useMe } from '../../session/use-me.ts'
import type { ShownCall } from './shown.ts'

type Event = ShownCall['providerEvents'][number]

const tones = { APPLIED: 'good', IGNORED: 'quiet', RECEIVED: 'waiting', FAILED: 'failing' } satisfies Record<ProviderEventState, Tone>

export function ProviderEvents({ events }: { events: readonly Event[] }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  if (events.length === 0) return null
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <section>
      <UnstyledButton onClick={toggle} aria-expanded={isOpen} mih={32} display="flex" style={{ alignItems: 'center', gap: 4 }}>
        <Chevron aria-hidden />
        <Text size="sm" fw={500}>
          {countText(events.length, nounWords.providerMessage)}
        </Text>
      </UnstyledButton>
      {isOpen && (
        <Stack component="ol" gap="xs" m={0} p={0} mt={4} style={{ listStyle: 'none' }}>
          {events.map(event => (
            <EventLine key={event.id} event={event} />
          ))}
        </Stack>
      )}
    </section>
  )
}

function EventLine({ event }: { event: Event }) {
  const { run, isRunning, failure } = useMutationWithProblems(ReplayProviderEventDocument)
  const { isOff } = useMe()
  return (
    <li>
      <Text size="sm" component="div">
        <Status tone={tones[event.state]} label={callWords.providerEvent[event.state]} />{' '}
        <Text span c="dimmed" size="xs">
          <Time at={event.receivedAt} />
        </Text>
      </Text>
      <Text size="xs" ff="monospace" c="dimmed" truncate title={event.eventKey}>
        {event.eventKey}
      </Text>
      {event.note && (
        <Spoiler maxHeight={40} showLabel={callPageWords.facts.more} hideLabel={callPageWords.facts.less} fz="xs">
          {event.note}
        </Spoiler>
      )}
      {failure && (
        <Text size="xs" c="red" role="alert">
          {failure.message}
        </Text>
      )}
      {event.state === 'FAILED' && (
        <Button variant="default" mt={4} loading={isRunning} disabled={isOff} onClick={() => void run({ id: event.id })}>
          {callPageWords.facts.applyAgain}
        </Button>
      )}
    </li>
  )
}
