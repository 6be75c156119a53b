// Places to go to, and actions for every screen.

import {
  IconBuilding,
  IconCode,
  IconListCheck,
  IconLogout,
  IconMoon,
  IconRobot,
  IconSettings,
  IconSun,
  IconSunMoon,
  IconTargetArrow,
  IconUpload,
  IconUserPlus,
  IconUsersPlus,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { developerPages, enrichmentPlaces, lastPlaces, places as mainPlaces, morePlaces } from '../frame/navigation/places.ts'
import { settingsSections } from '../frame/navigation/settings-sections.ts'
import { frameWords } from '../language/en/frame.ts'
import { laterWords } from '../language/en/shared/later.ts'
import { signOut } from '../session/sign-out.ts'
import { useMe } from '../session/use-me.ts'
import { useColours } from '../session/use-preferences.ts'
import type { PaletteEntry } from './entry.tsx'

export function useActions(): { places: readonly PaletteEntry[]; actions: readonly PaletteEntry[] } {
  const navigate = useNavigate()
  const { choose } = useColours()
  const { organization, mayWrite } = useMe()
  const mayInvite = organization?.role === 'OWNER' || organization?.role === 'ADMIN'
  const words = laterWords.verbs
  const places = [...mainPlaces, ...enrichmentPlaces, ...morePlaces, ...lastPlaces].map(({ to, label, icon }) => ({
    ...{ id: to, label, icon },
    run: () => void navigate({ to, replace: true }),
  }))
  const pages = developerPages.map(({ href, label }) => ({
    ...{ id: href, label, icon: IconCode, kind: laterWords.find.newTab },
    run: () => void window.open(href, '_blank', 'noreferrer'),
  }))
  const isNew = { search: { new: true }, replace: true } as const
  const writing = [
    { id: 'new-contact', label: words.newContact, icon: IconUserPlus, run: () => void navigate({ to: '/contacts', ...isNew }) },
    { id: 'new-company', label: words.newCompany, icon: IconBuilding, run: () => void navigate({ to: '/companies', ...isNew }) },
    { id: 'new-deal', label: words.newDeal, icon: IconTargetArrow, run: () => void navigate({ to: '/deals', ...isNew }) },
    { id: 'new-task', label: words.newTask, icon: IconListCheck, run: () => void navigate({ to: '/tasks', ...isNew }) },
    {
      id: 'new-agent',
      label: words.newAgent,
      icon: IconRobot,
      run: () => void navigate({ to: '/agents', search: { new: 'choose' }, replace: true }),
    },
    { id: 'import', label: words.importContacts, icon: IconUpload, run: () => void navigate({ to: '/imports', replace: true }) },
  ]
  const invite = {
    ...{ id: 'invite', label: frameWords.invite, icon: IconUsersPlus },
    run: () => void navigate({ to: '/settings/members', search: { invite: true }, replace: true }),
  }
  const sections = settingsSections.map(({ to, label }) => ({
    ...{ id: `settings ${to}`, label: `${frameWords.places.settings}: ${label}`, icon: IconSettings },
    run: () => void navigate({ to, replace: true }),
  }))
  const actions = [
    ...(mayWrite ? writing : []),
    ...(mayInvite ? [invite] : []),
    ...sections,
    { id: 'light', label: words.light, icon: IconSun, run: () => choose('light') },
    { id: 'dark', label: words.dark, icon: IconMoon, run: () => choose('dark') },
    { id: 'auto', label: words.auto, icon: IconSunMoon, run: () => choose('auto') },
    { id: 'sign-out', label: frameWords.signOut, icon: IconLogout, run: () => void signOut() },
  ]
  return { places: [...places, ...pages], actions }
}
