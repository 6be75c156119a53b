// The calls with a contact: the state and a short summary of each.

import { Box, Group, Stack, Text } from '@mantine/core'
import { useConnection } from '../../data/use-connection.ts'
import { ContactCallsDocument } from '../../generated/documents/contact-record-activity.ts'
import type { CallStatus } from '../../generated/schema.ts'
import { callWords } from '../../language/en/calls.ts'
import { recordWords } from '../../language/en/contact/record.ts'
import { durationText } from '../../language/format.ts'
import { AnchorLink } from '../../pieces/links.tsx'
import { Grown } from '../../pieces/states/grown.tsx'
import { Status, type Tone } from '../../pieces/status.tsx'
import { Time } from '../../pieces/time.tsx'
import classes from '../record.module.css'

const tones = {
  BUSY: 'failing',
  CANCELED: 'quiet',
  COMPLETED: 'good',
  FAILED: 'failing',
  IN_PROGRESS: 'information',
  NO_ANSWER: 'quiet',
  QUEUED: 'waiting',
  RINGING: 'information',
} as const satisfies Record<CallStatus, Tone>

export function Calls({ contactId }: { contactId: string }) {
  const list = useConnection({
    document: ContactCallsDocument,
    variables: { id: contactId, first: 50 },
    pick: data => data.contact?.calls,
    isChangedBy: ({ type, contactId: about }) => about === contactId && type.startsWith('CALL_'),
  })
  return (
    <Stack gap={0} pt="md">
      <Grown list={list} height={48} empty={recordWords.call.none}>
        {list.rows.map(call => (
          <Box key={call.id} py="sm">
            <Group justify="space-between" wrap="nowrap">
              <Group gap="sm" wrap="nowrap" miw={0}>
                <Text size="sm" component="span">
                  <Status
                    tone={tones[call.status]}
                    label={call.outcome ? callWords.outcome[call.outcome] : callWords.status[call.status]}
                  />
                </Text>
                <AnchorLink to="/calls/$callId" params={{ callId: call.id }} size="sm" truncate>
                  {recordWords.call.to(call.voiceAgent?.name ?? null, call.toNumber)}
                </AnchorLink>
              </Group>
              <Text size="xs" c="dimmed" component="span" style={{ flex: 'none' }}>
                {call.durationSeconds !== null && `${durationText(call.durationSeconds)}, `}
                <Time at={call.createdAt} />
              </Text>
            </Group>
            {call.summary && (
              <Text size="sm" c="dimmed" className={classes.text} mt={4} lineClamp={4}>
                {call.summary}
              </Text>
            )}
          </Box>
        ))}
      </Grown>
    </Stack>
  )
}
