// The menu that adds a widget.

import { Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type DashboardWidgetKind, dashboardWidgetKindValues } from '../generated/schema.ts'
import { homeWords } from '../language/en/home.ts'

interface AddWidgetProps {
  isGuest: boolean
  isOff: boolean
  onAdd(kind: DashboardWidgetKind): void
}

export function AddWidget({ isGuest, isOff, onAdd }: AddWidgetProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconPlus />} disabled={isOff}>
          {isGuest ? homeWords.menu.signUp : homeWords.menu.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {dashboardWidgetKindValues.map(kind => (
          <Menu.Item key={kind} onClick={() => onAdd(kind)}>
            {homeWords.widget[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
