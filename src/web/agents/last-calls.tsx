// The last calls of an agent. Their states follow the stream of changes.

import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from 'urql'
import { CallState, calledName } from '../calls/call-status.tsx'
import { CallsOfAgentDocument } from '../generated/documents/agents.ts'
import { agentPageWords } from '../language/en/screens/agents.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'

export function LastCalls({ agentId }: { agentId: string }) {
  const [{ data, fetching }] = useQuery({ query: CallsOfAgentDocument, variables: { id: agentId } })
  const calls = data?.calls.nodes ?? []
  return (
    <Box component="section">
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h4">
          {agentPageWords.lastCalls}
        </Title>
        {calls.length > 0 && (
          <AnchorLink to="/calls" search={{ agent: agentId }} size="sm">
            {agentPageWords.all}
          </AnchorLink>
        )}
      </Group>
      {fetching && !data && <LateSkeleton />}
      {data && calls.length === 0 && (
        <Text size="sm" c="dimmed">
          {agentPageWords.noCalls}
        </Text>
      )}
      <Stack gap={4}>
        {calls.map(call => (
          <Group key={call.id} gap="xs" wrap="nowrap" justify="space-between">
            <AnchorLink to="/calls/$callId" params={{ callId: call.id }} size="sm" truncate>
              {calledName(call)}
            </AnchorLink>
            <Text size="sm" component="span" flex="none" maw="50%">
              <CallState call={call} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Box>
  )
}
