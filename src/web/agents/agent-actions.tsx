// Actions on an agent in its present state: provision, pause, resume, archive.

import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import { IconArchive, IconDots, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useMutationWithProblems } from '../data/use-write.ts'
import {
  ArchiveVoiceAgentDocument,
  PauseVoiceAgentDocument,
  ProvisionVoiceAgentDocument,
  ResumeVoiceAgentDocument,
} from '../generated/documents/agents.ts'
import type { VoiceAgentRowFragment } from '../generated/operations.ts'
import { confirm } from '../pieces/confirm.ts'
import { useMe } from '../session/use-me.ts'

export function AgentActions({ agent: { id, name, status } }: { agent: VoiceAgentRowFragment }) {
  const { isOff } = useMe()
  const provision = useMutationWithProblems(ProvisionVoiceAgentDocument)
  const pause = useMutationWithProblems(PauseVoiceAgentDocument)
  const resume = useMutationWithProblems(ResumeVoiceAgentDocument)
  const archive = useMutationWithProblems(ArchiveVoiceAgentDocument)
  const failure = provision.failure ?? pause.failure ?? resume.failure ?? archive.failure
  if (status === 'ARCHIVED') return null
  const archiveIt = () =>
    confirm({
      title: `Archive ${name}?`,
      loses: 'Its waiting calls are canceled, its number becomes free, and it cannot be brought back. Calls in progress go on.',
      verb: 'Archive agent',
      typed: name.length <= 40 ? name : 'archive',
      onConfirm: () => void archive.run({ id }),
    })
  return (
    <Group gap="xs" wrap="nowrap">
      {failure && (
        <Text size="xs" c="red" role="alert" lineClamp={2}>
          {failure.message}
        </Text>
      )}
      {(status === 'DRAFT' || status === 'FAILED') && (
        <Button disabled={isOff} loading={provision.isRunning} onClick={() => void provision.run({ id })}>
          {status === 'DRAFT' ? 'Provision' : 'Try again'}
        </Button>
      )}
      {status === 'ACTIVE' && (
        <Button
          variant="default"
          leftSection={<IconPlayerPause />}
          disabled={isOff}
          loading={pause.isRunning}
          onClick={() => void pause.run({ id })}
        >
          Pause
        </Button>
      )}
      {status === 'PAUSED' && (
        <Button leftSection={<IconPlayerPlay />} disabled={isOff} loading={resume.isRunning} onClick={() => void resume.run({ id })}>
          Resume
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label="More" disabled={isOff}>
            <IconDots />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<IconArchive />} onClick={archiveIt}>
            Archive
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
