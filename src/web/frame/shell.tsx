// The layout: rail at the left, bottom bar on a phone, the screen beside it. A few lines of CSS replace AppShell, which weighs 9 kB and handles
// resizing.

import { Box } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { lazy, useEffect, useState } from 'react'
import { loadPart } from '../app/loaded.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { frameWords } from '../language/en/frame.ts'
import { keepAwayPage } from '../session/away-page.ts'
import { useKeptPreferences } from '../session/use-preferences.ts'
import { Banners } from './banners.tsx'
import { holdKeys } from './held-keys.ts'
import { BottomBar } from './navigation/bottom-bar.tsx'
import { Rail } from './navigation/rail.tsx'
import { OnceOpen } from './once-open.tsx'
import classes from './shell.module.css'

const loadPalette = () => loadPart(() => import('../palette/palette.tsx'))
const Palette = lazy(loadPalette)
// After the first screen, and before most people type.
const paletteAfterMs = 1000
const ShortcutList = lazy(() => loadPart(() => import('../keyboard/shortcut-list.tsx')))

export function Shell() {
  useKeptPreferences()
  useEffect(keepAwayPage, [])
  useEffect(() => {
    // Opening it tells of a failure.
    const timer = setTimeout(() => void loadPalette().catch(() => {}), paletteAfterMs)
    return () => clearTimeout(timer)
  }, [])
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const [isNarrow, setNarrow] = useLocalStorage({ key: 'rolocom.rail-narrow', defaultValue: false, getInitialValueInEffect: false })
  const [isListing, setListing] = useState(false)
  const [isSearching, setSearching] = useState(false)
  useShortcut('mod+K', frameWords.searchAndGo, () => {
    holdKeys()
    setSearching(true)
  })
  useShortcut('?', frameWords.listShortcuts, () => setListing(true))
  useShortcut('mod+B', frameWords.fold, () => setNarrow(!isNarrow), { isOn: !isPhone })
  return (
    <Box className={classes.shell}>
      <a href="#main" className={classes.skip}>
        {frameWords.skip}
      </a>
      {isPhone ? (
        <nav aria-label={frameWords.navigation} className={classes.bar}>
          <BottomBar onSearch={() => setSearching(true)} />
        </nav>
      ) : (
        <nav aria-label={frameWords.navigation} className={classes.rail} data-narrow={isNarrow || undefined}>
          <Rail isNarrow={isNarrow} onFold={() => setNarrow(!isNarrow)} onSearch={() => setSearching(true)} />
        </nav>
      )}
      <main id="main" tabIndex={-1} className={classes.main}>
        <Banners />
        <Box className={classes.screen}>
          <Outlet />
        </Box>
      </main>
      <OnceOpen isOpen={isListing}>
        <ShortcutList isOpen={isListing} onClose={() => setListing(false)} />
      </OnceOpen>
      <OnceOpen isOpen={isSearching}>
        <Palette isOpen={isSearching} onClose={() => setSearching(false)} />
      </OnceOpen>
    </Box>
  )
}
