// The layout: rail at the left, bottom bar on a phone, the screen between them.

import { AppShell, Box } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { useKeptPreferences } from '../session/use-preferences.ts'
import { Banners } from './banners.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { OnceOpen } from './once-open.tsx'
import { Rail } from './rail.tsx'
import classes from './shell.module.css'

const Palette = lazy(() => import('../palette/palette.tsx'))
const ShortcutList = lazy(() => import('../keyboard/shortcut-list.tsx'))

export function Shell() {
  useKeptPreferences()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const [isNarrow, setNarrow] = useLocalStorage({ key: 'rolocom.rail-narrow', defaultValue: false, getInitialValueInEffect: false })
  const [isListing, setListing] = useState(false)
  const [isSearching, setSearching] = useState(false)
  useShortcut('mod+K', 'Search and go to', () => setSearching(true))
  useShortcut('?', 'List the shortcuts', () => setListing(true))
  useShortcut('mod+B', 'Fold the rail', () => setNarrow(!isNarrow), { isOn: !isPhone })
  return (
    <AppShell
      layout="alt"
      padding={0}
      transitionDuration={0}
      navbar={{ width: isNarrow ? 56 : 232, breakpoint: 'sm', collapsed: { mobile: true } }}
      footer={{ height: 60, collapsed: !isPhone }}
    >
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      {isPhone ? (
        <AppShell.Footer component="nav" aria-label="Places" className={classes.bar}>
          <BottomBar onSearch={() => setSearching(true)} />
        </AppShell.Footer>
      ) : (
        <AppShell.Navbar aria-label="Places" className={classes.rail}>
          <Rail isNarrow={isNarrow} onFold={() => setNarrow(!isNarrow)} onSearch={() => setSearching(true)} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <Banners />
        <Box className={classes.screen}>
          <Outlet />
        </Box>
      </AppShell.Main>
      <OnceOpen isOpen={isListing}>
        <ShortcutList isOpen={isListing} onClose={() => setListing(false)} />
      </OnceOpen>
      <OnceOpen isOpen={isSearching}>
        <Palette isOpen={isSearching} onClose={() => setSearching(false)} />
      </OnceOpen>
    </AppShell>
  )
}
