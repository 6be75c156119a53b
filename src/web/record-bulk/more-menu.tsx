// The actions of a narrow bar in one menu. The choices of an action replace the menu's entries; a form opens in a dialog.

import { Button, Menu, ScrollArea } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { Dialog } from '../frame/floating/dialog.tsx'
import { contactWords } from '../language/en/contacts.ts'
import type { Action, Opening } from './bar-action.tsx'

export function MoreMenu({ actions, opened, onOpen }: Opening & { actions: readonly Action[] }) {
  const [isOpen, setOpen] = useState(false)
  const current = actions.find(({ name }) => name === opened)
  const choices = current?.items
  // A click on an entry also closes the menu, and the entry may have opened a dialog.
  const onMenu = (isOpenNow: boolean) => {
    setOpen(isOpenNow)
    if (!isOpenNow && choices !== undefined) onOpen(null)
  }
  return (
    <>
      <Menu position="top-end" opened={isOpen || choices !== undefined} onChange={onMenu}>
        <Menu.Target>
          <Button variant="subtle" color="gray" leftSection={<IconDots />}>
            {contactWords.bulk.more}
          </Button>
        </Menu.Target>
        {/* The key moves the focus to the first of the choices. */}
        <Menu.Dropdown key={choices ? current?.name : 'all'}>
          <ScrollArea.Autosize mah="50dvh" type="auto">
            {choices ? <Menu.Label>{current?.verb}</Menu.Label> : null}
            {choices ??
              actions.map(({ name, verb, icon: ActionIcon, color, isDisabled, run, items }) => (
                <Menu.Item
                  key={name}
                  color={color}
                  disabled={isDisabled}
                  leftSection={<ActionIcon />}
                  closeMenuOnClick={!items}
                  onClick={run ?? (() => onOpen(name))}
                >
                  {verb}
                </Menu.Item>
              ))}
          </ScrollArea.Autosize>
        </Menu.Dropdown>
      </Menu>
      <Dialog isOpen={current?.form !== undefined} onClose={() => onOpen(null)} title={current?.verb ?? ''}>
        {current?.form}
      </Dialog>
    </>
  )
}
