// The entries of the menu for developers.

import { Menu } from '@mantine/core'
import type { OpeningProps } from '../../pieces/opens-later.tsx'
import { developerPages } from './places.ts'

export default function DevelopersDropdown({ target, isOpen, onOpen }: OpeningProps) {
  return (
    <Menu opened={isOpen} onChange={onOpen} width={232} position="right-end">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {developerPages.map(({ href, label }) => (
          <Menu.Item key={href} component="a" href={href} target="_blank" rel="noreferrer">
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
