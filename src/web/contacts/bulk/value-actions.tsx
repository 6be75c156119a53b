// Sets one value of the selected contacts: the stage, or whether they may be called.

import { Button, Menu } from '@mantine/core'
import { IconPhoneOff, IconProgress } from '@tabler/icons-react'
import { StageStatus } from '../../contact-record/fields/stage.tsx'
import { type LifecycleStage, lifecycleStageValues } from '../../generated/schema.ts'
import { contactWords } from '../../language/en/contacts.ts'

interface ValueActionProps<Value> {
  isDisabled: boolean
  onChoose(value: Value): void
}

export function StageAction({ isDisabled, onChoose }: ValueActionProps<LifecycleStage>) {
  const stages = Object.keys(contactWords.stage).flatMap(name => lifecycleStageValues.find(value => value === name) ?? [])
  return (
    <Menu position="top">
      <Menu.Target>
        <Button variant="subtle" color="gray" disabled={isDisabled} leftSection={<IconProgress />}>
          {contactWords.bulk.stage}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {stages.map(stage => (
          <Menu.Item key={stage} onClick={() => onChoose(stage)}>
            <StageStatus stage={stage} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export function CallAction({ isDisabled, onChoose }: ValueActionProps<boolean>) {
  return (
    <Menu position="top">
      <Menu.Target>
        <Button variant="subtle" color="gray" disabled={isDisabled} leftSection={<IconPhoneOff />}>
          {contactWords.kinds.calls}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose(true)}>{contactWords.bulk.doNotCall}</Menu.Item>
        <Menu.Item onClick={() => onChoose(false)}>{contactWords.bulk.mayCall}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
