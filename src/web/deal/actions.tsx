// Actions on a deal: won, lost, reopen, copy its id, delete, restore.

import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconCopyCheck, IconDots, IconMoodSad, IconRestore, IconTrash, IconTrophy } from '@tabler/icons-react'
import { type Stage, usePipelines } from '../deal-record/choices.ts'
import type { Deal } from '../deal-record/fields.ts'
import { useMoving } from '../deal-record/use-moving.tsx'
import { dealWords } from '../language/en/deals/deals.ts'
import { useRemoval } from './use-removal.ts'

const words = dealWords.actions

export function Actions({ deal, mayWrite }: { deal: Deal; mayWrite: boolean }) {
  const { takeAway, bringBack, isRunning } = useRemoval(deal)
  const move = useMoving()
  const stages = usePipelines().find(({ id }) => id === deal.pipelineId)?.stages ?? []
  const first = (kind: Stage['kind']) => stages.find(stage => stage.kind === kind)
  if (deal.deletedAt)
    return (
      <Button leftSection={<IconRestore />} disabled={!mayWrite} loading={isRunning} onClick={() => void bringBack()}>
        {words.restore}
      </Button>
    )
  const moveTo = (stage: Stage | undefined) => stage && void move(deal, stage)
  const isOpen = deal.wonAt === null && deal.lostAt === null
  return (
    <>
      {isOpen ? (
        <>
          <Button variant="default" leftSection={<IconMoodSad />} disabled={!mayWrite} onClick={() => moveTo(first('LOST'))}>
            {words.lost}
          </Button>
          <Button leftSection={<IconTrophy />} disabled={!mayWrite} onClick={() => moveTo(first('WON'))}>
            {words.won}
          </Button>
        </>
      ) : (
        <Button variant="default" leftSection={<IconRestore />} disabled={!mayWrite} onClick={() => moveTo(first('OPEN'))}>
          {words.reopen}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={words.more}>
            <IconDots />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCopyCheck />} onClick={() => void navigator.clipboard.writeText(deal.id)}>
            {words.copyId}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash />} disabled={!mayWrite} onClick={() => void takeAway()}>
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
