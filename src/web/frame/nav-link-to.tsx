// Entries of the rail and of navigations that lead to addresses of the app. Apart from other links: the sign-in page has none.

import { NavLink } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

export const NavLinkTo = createLink(NavLink<'a'>)
