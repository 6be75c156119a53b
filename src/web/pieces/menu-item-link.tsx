// An entry of a menu that leads to an address of the app, with typed `to`, `params` and `search`. Apart from other
// links, because menus are loaded when they are opened.

import { Menu } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

export const MenuItemLink = createLink(Menu.Item<'a'>)
