// Settings: the sections as a menu at the left, or as a select on a phone, and the open section.

import { Box, Select } from '@mantine/core'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { Header } from '../frame/header.tsx'
import { NavLinkTo } from '../frame/nav-link-to.tsx'
import { settingsSections as sections } from '../frame/navigation/settings-sections.ts'
import { settingsWords } from '../language/en/settings/sections.ts'
import classes from './settings.module.css'

export function SettingsScreen() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const here = sections.findLast(({ to }) => `${pathname}/`.startsWith(`${to}/`)) ?? sections[0]
  return (
    <>
      <Header title={here.to === '/settings' ? settingsWords.title : `${settingsWords.title} · ${here.label}`} />
      <Box className={classes.screen}>
        <Box component="nav" aria-label={settingsWords.menu} className={classes.menu}>
          {sections.map(({ to, label }) => (
            <NavLinkTo
              key={to}
              to={to}
              label={label}
              activeOptions={{ exact: true }}
              active={to === here.to}
              className={classes.link}
              noWrap
            />
          ))}
        </Box>
        <Select
          className={classes.choice}
          aria-label={settingsWords.choice}
          data={sections.map(({ to, label }) => ({ value: to, label }))}
          value={here.to}
          allowDeselect={false}
          onChange={to => void navigate({ to: sections.find(section => section.to === to)?.to ?? '/settings' })}
        />
        <Box className={classes.body}>
          <Outlet />
        </Box>
      </Box>
    </>
  )
}
