// Navigation entries that lead to addresses of the app. They are apart from other links, because the sign-in page has none.

import { createLink } from '@tanstack/react-router'
import { NavItem } from './nav-item.tsx'

export const NavLinkTo = createLink(NavItem)
