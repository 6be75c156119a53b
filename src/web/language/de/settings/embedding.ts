// German words of the settings of widgets on other sites.

import type { embeddingWords } from '../../en/settings/embedding.ts'
import type { Translation } from '../../language.ts'
import { say } from '../../say.ts'

export const embedding: Translation<typeof embeddingWords> = {
  keys: 'Schlüssel von Widgets',
  revokeLoses: 'Seiten mit diesem Schlüssel zeigen ab jetzt einen Fehler. Das lässt sich nicht rückgängig machen.',
  revokeKey: 'Schlüssel widerrufen',
  title: 'Schlüssel Ihrer Widgets',
  sentence: 'Jeder Schlüssel zeigt ein Widget Ihrer Startseite auf einer anderen Website und gibt sonst keinen Zugang.',
  empty: 'Ein Widget bekommt einen Schlüssel, wenn Sie es über seine Optionen anderswo einbetten.',
  toWidgets: 'Zu den Widgets',
  neverUsed: 'Nie benutzt',
  revoke: 'Widerrufen',
  pages: 'Seiten, die Widgets einbetten dürfen',
  pagesSentence: 'Für alle Mitglieder der Organisation. Auf anderen Seiten zeigen Browser kein Widget.',
  areSaved: 'Die Adressen sind gespeichert',
  origins: 'Adressen',
  onlyAdmins: 'Inhaber und Admins können sie ändern.',
  example: 'Etwa https://intranet.example.com. Nach jeder die Eingabetaste.',
  save: 'Adressen speichern',
  revokeQuestion: label => `„${label}“ widerrufen?`,
  isRevoked: label => `${label} ist widerrufen`,
  revokeLabel: label => `${label} widerrufen`,
  made: time => `Erstellt ${time}`,
  revoked: time => `Widerrufen ${time}`,
  lastUsed: time => say`Zuletzt benutzt ${time}`,
}
