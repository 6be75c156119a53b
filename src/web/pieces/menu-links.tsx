// Entries of menus that lead to addresses of the app. Apart from other links: menus are loaded when they are opened.

import { Menu } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

export const MenuItemLink = createLink(Menu.Item<'a'>)
