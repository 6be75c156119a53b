// Words of the settings.

import { room } from '../language.ts'

export const settingsWords = room('settings', {
  language: 'Language',
  languageHelp: 'For this browser. Texts without a translation are in English.',
})
