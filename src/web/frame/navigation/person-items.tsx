// The entries of the person's menu, in the rail and on a phone behind "More".

import { Menu } from '@mantine/core'
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUserPlus } from '@tabler/icons-react'
import { linkTo } from '../../address/go.ts'
import { frameWords } from '../../language/en/frame.ts'
import type { OpeningProps } from '../../pieces/opens-later.tsx'
import { forgetCaller } from '../../session/caller.ts'
import { signOut } from '../../session/sign-out.ts'
import { useMe } from '../../session/use-me.ts'
import { useColours } from '../../session/use-preferences.ts'

const schemes = [
  { value: 'auto', icon: IconDeviceDesktop },
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
] as const

export default function PersonDropdown({ target, isOpen, onOpen }: OpeningProps) {
  return (
    <Menu opened={isOpen} onChange={onOpen} width={232} position="top-start">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <PersonItems />
      </Menu.Dropdown>
    </Menu>
  )
}

export function PersonItems() {
  const { me, isGuest } = useMe()
  const { scheme, choose } = useColours()
  return (
    <>
      {me?.email && <Menu.Label>{me.email}</Menu.Label>}
      {schemes.map(({ value, icon: Icon }) => (
        <Menu.Item
          key={value}
          leftSection={<Icon />}
          fw={value === scheme ? 600 : undefined}
          aria-current={value === scheme || undefined}
          onClick={() => choose(value)}
        >
          {frameWords.colors[value]}
        </Menu.Item>
      ))}
      <Menu.Divider />
      {isGuest && (
        <Menu.Item component="a" {...linkTo('/sign-in', forgetCaller)} leftSection={<IconUserPlus />}>
          {frameWords.signUpOrIn}
        </Menu.Item>
      )}
      {!isGuest && (
        <Menu.Item leftSection={<IconLogout />} onClick={() => void signOut()}>
          {frameWords.signOut}
        </Menu.Item>
      )}
    </>
  )
}
