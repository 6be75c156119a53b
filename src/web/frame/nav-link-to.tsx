// Navigation entries that lead to addresses of the app. They are apart from other links, because the sign-in page has none.

import { NavLink } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

export const NavLinkTo = createLink(NavLink<'a'>)
