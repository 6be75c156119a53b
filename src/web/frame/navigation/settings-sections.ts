// The sections of the settings, for their menu and for the palette.

export const settingsSections = [
  { to: '/settings', label: 'Profile' },
  { to: '/settings/notifications', label: 'Notifications' },
  { to: '/settings/sessions', label: 'Sessions' },
  { to: '/settings/organization', label: 'Organization' },
  { to: '/settings/members', label: 'Members' },
  { to: '/settings/assignment', label: 'Assignment' },
  { to: '/settings/keys', label: 'API keys' },
  { to: '/settings/webhooks', label: 'Webhooks' },
  { to: '/settings/embedding', label: 'Embedding' },
  { to: '/settings/fields', label: 'Custom fields' },
  { to: '/settings/pipelines', label: 'Pipelines' },
  { to: '/settings/calls', label: 'Calls' },
] as const
