// Words of the settings of widgets on other sites.

import type { ReactNode } from 'react'
import { room } from '../../language.ts'
import { say } from '../../say.ts'

export const embeddingWords = room('embedding', {
  keys: 'Keys of widgets',
  revokeLoses: 'Pages with this key show an error from now on. That cannot be undone.',
  revokeKey: 'Revoke key',
  title: 'Keys of your widgets',
  sentence: 'Each key shows one widget of your dashboard on another site, and gives no other access.',
  empty: 'A widget gets a key by Embed elsewhere, in its options.',
  toWidgets: 'Go to the widgets',
  neverUsed: 'Never used',
  revoke: 'Revoke',
  pages: 'Pages that may frame widgets',
  pagesSentence: 'For all members of the organization. Browsers refuse to show a widget on any other page.',
  areSaved: 'The origins are saved',
  origins: 'Origins',
  onlyAdmins: 'Owners and admins can change them.',
  example: 'Such as https://intranet.example.com. Enter after each.',
  save: 'Save origins',
  revokeQuestion: (label: string) => `Revoke "${label}"?`,
  isRevoked: (label: string) => `${label} is revoked`,
  revokeLabel: (label: string) => `Revoke ${label}`,
  made: (time: string) => `Made ${time}`,
  revoked: (time: string) => `Revoked ${time}`,
  lastUsed: (time: ReactNode) => say`Last used ${time}`,
})
