// An action of the bar: a button that runs it, or that opens its choices or its form.

import { Button, Menu, Popover, ScrollArea } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export interface Action {
  name: 'delete' | 'doNotCall' | 'enrich' | 'export' | 'move' | 'owner' | 'restore' | 'stage' | 'tag' | 'task'
  label: string
  /** The action with its records, as the palette names it: "Tag 3 contacts". */
  verb: string
  icon: Icon
  color?: string
  isDisabled?: boolean
  /** One of these three. */
  run?: () => void
  items?: ReactNode
  form?: ReactNode
}

export interface Opening {
  opened: Action['name'] | null
  onOpen(name: Action['name'] | null): void
}

export function BarAction({ action, opened, onOpen }: Opening & { action: Action }) {
  const { name, label, verb, icon: ActionIcon, color = 'gray', isDisabled, run, items, form } = action
  const isOpen = opened === name
  const button = (
    <Button
      variant="subtle"
      color={color}
      disabled={isDisabled}
      leftSection={<ActionIcon />}
      title={verb}
      onClick={run ?? (form ? () => onOpen(isOpen ? null : name) : undefined)}
    >
      {label}
    </Button>
  )
  const onChange = (isOpenNow: boolean) => onOpen(isOpenNow ? name : null)
  if (items)
    return (
      <Menu position="top" opened={isOpen} onChange={onChange}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <ScrollArea.Autosize mah={320} type="auto">
            {items}
          </ScrollArea.Autosize>
        </Menu.Dropdown>
      </Menu>
    )
  if (!form) return button
  return (
    <Popover opened={isOpen} onChange={onChange} position="top" shadow="md" trapFocus returnFocus width={300}>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={verb}>{form}</Popover.Dropdown>
    </Popover>
  )
}
