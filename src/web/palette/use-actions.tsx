// Places to go to, and actions for every screen.

import { IconCode, IconLogout, IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { developerPages, enrichmentPlaces, lastPlaces, places as mainPlaces, morePlaces } from '../frame/navigation/places.ts'
import { signOut } from '../session/sign-out.ts'
import { useColours } from '../session/use-preferences.ts'
import type { PaletteEntry } from './entry.tsx'

export function useActions(): { places: readonly PaletteEntry[]; actions: readonly PaletteEntry[] } {
  const navigate = useNavigate()
  const { choose } = useColours()
  const places = [...mainPlaces, ...enrichmentPlaces, ...morePlaces, ...lastPlaces].map(({ to, label, icon }) => ({
    ...{ id: to, label, icon },
    run: () => void navigate({ to, replace: true }),
  }))
  const pages = developerPages.map(({ href, label }) => ({
    ...{ id: href, label, icon: IconCode, kind: 'New tab' },
    run: () => void window.open(href, '_blank', 'noreferrer'),
  }))
  const actions = [
    { id: 'light', label: 'Use light colours', icon: IconSun, run: () => choose('light') },
    { id: 'dark', label: 'Use dark colours', icon: IconMoon, run: () => choose('dark') },
    { id: 'auto', label: 'Use the colours of the system', icon: IconSunMoon, run: () => choose('auto') },
    { id: 'sign-out', label: 'Sign out', icon: IconLogout, run: () => void signOut() },
  ]
  return { places: [...places, ...pages], actions }
}
