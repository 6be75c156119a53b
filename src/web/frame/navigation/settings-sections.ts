// The sections of the settings, for their menu and for the palette.

import { settingsWords } from '../../language/en/settings/sections.ts'

export const settingsSections = [
  { to: '/settings', label: settingsWords.sections.profile },
  { to: '/settings/notifications', label: settingsWords.sections.notifications },
  { to: '/settings/sessions', label: settingsWords.sections.sessions },
  { to: '/settings/organization', label: settingsWords.sections.organization },
  { to: '/settings/members', label: settingsWords.sections.members },
  { to: '/settings/assignment', label: settingsWords.sections.assignment },
  { to: '/settings/keys', label: settingsWords.sections.keys },
  { to: '/settings/webhooks', label: settingsWords.sections.webhooks },
  { to: '/settings/embedding', label: settingsWords.sections.embedding },
  { to: '/settings/fields', label: settingsWords.sections.fields },
  { to: '/settings/pipelines', label: settingsWords.sections.pipelines },
  { to: '/settings/calls', label: settingsWords.sections.calls },
] as const
