// Words of the settings as a whole: their title and the names of their sections.

import { room } from '../../language.ts'

export const settingsWords = room('settings', {
  title: 'Settings',
  menu: 'Sections of the settings',
  choice: 'Section of the settings',
  sections: {
    profile: 'Profile',
    notifications: 'Notifications',
    sessions: 'Sessions',
    organization: 'Organization',
    members: 'Members',
    assignment: 'Assignment',
    keys: 'API keys',
    webhooks: 'Webhooks',
    embedding: 'Embedding',
    fields: 'Custom fields',
    pipelines: 'Pipelines',
    calls: 'Calls',
  },
  language: 'Language',
  languageHelp: 'Texts without a translation are in English.',
})
