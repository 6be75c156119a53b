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
import { agentPageWords } from '../language/en/screens/agents.ts'
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
      title: agentPageWords.actions.archiveIt(name),
      loses: agentPageWords.actions.archiveLoses,
      verb: agentPageWords.actions.archiveAgent,
      typed: name.length <= 40 ? name : agentPageWords.actions.archiveWord,
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
          {status === 'DRAFT' ? agentPageWords.actions.provision : agentPageWords.actions.again}
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
          {agentPageWords.actions.pause}
        </Button>
      )}
      {status === 'PAUSED' && (
        <Button leftSection={<IconPlayerPlay />} disabled={isOff} loading={resume.isRunning} onClick={() => void resume.run({ id })}>
          {agentPageWords.actions.resume}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={agentPageWords.actions.more} disabled={isOff}>
            <IconDots />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<IconArchive />} onClick={archiveIt}>
            {agentPageWords.actions.archive}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
