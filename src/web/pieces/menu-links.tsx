// Entries of menus and of the rail that lead to addresses of the app. Apart from other links: the sign-in page has no menus.

import { Menu, NavLink } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

export const NavLinkTo = createLink(NavLink<'a'>)
export const MenuItemLink = createLink(Menu.Item<'a'>)
