// Says what became of a placed call, with a link to its page.

import { Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { announce } from '../keyboard/announce.tsx'
import { endedReasonWords } from '../language/en/calls.ts'
import { errorWords } from '../language/en/errors.ts'
import { callFormWords } from '../language/en/screens/call-form.ts'
import { wordOf } from '../language/values.ts'
import { timeIn } from '../language/zoned-time.ts'
import { AnchorLink } from '../pieces/links.tsx'
import type { PlacedCall } from './form.tsx'

const words = callFormWords.placed

export function tellPlaced(name: string, call: PlacedCall): void {
  const sentence = sentenceOf(name, call)
  announce(sentence)
  const id = notifications.show({
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': errorWords.dismiss },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{sentence}</Text>
        <AnchorLink to="/calls/$callId" params={{ callId: call.id }} size="sm" flex="none" onClick={() => notifications.hide(id)}>
          {words.open}
        </AnchorLink>
      </Group>
    ),
  })
}

function sentenceOf(name: string, { dispatchState, endedReason, wait }: PlacedCall): string {
  switch (dispatchState) {
    case 'SCHEDULED':
      return wait ? words.later(name, timeIn(wait.timezone, wait.until)) : words.waits(name)
    case 'PENDING':
      return words.waits(name)
    case 'BLOCKED':
      return words.blocked(name, wordOf(endedReasonWords, endedReason ?? 'failed'))
    case 'FAILED':
    case 'CANCELED':
      return words.failed(name)
    default:
      return words.calling(name)
  }
}
