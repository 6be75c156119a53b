// German words for the settings of assignment.

import type { assignmentWords } from '../../en/settings/assignment.ts'
import type { Translation } from '../../language.ts'

export const assignment: Translation<typeof assignmentWords> = {
  title: 'Zuständige für neue Kontakte',
  sentence:
    'Wer für einen Kontakt zuständig wird, der ohne Zuständigen hinzukommt: von Hand, durch einen Import, ein Formular oder ein anderes Programm. Vorhandene Kontakte behalten ihren Zuständigen.',
  kinds: { NONE: 'Niemand', ROUND_ROBIN: 'Reihum', BY_COUNTRY: 'Nach Land', BY_SOURCE: 'Nach Herkunft' },
  means: {
    NONE: 'Neue Kontakte haben keinen Zuständigen, bis jemand einen wählt.',
    ROUND_ROBIN: 'Jeder neue Kontakt geht an das nächste dieser Mitglieder.',
    BY_COUNTRY: 'Das Land des Kontakts entscheidet.',
    BY_SOURCE: 'Der Weg, auf dem der Kontakt hinzukam, entscheidet.',
  },
  members: 'Mitglieder',
  others: 'Alle anderen Kontakte',
  othersHelp: 'Sie gehen reihum an diese Mitglieder. Ohne Mitglieder bleiben sie ohne Zuständigen.',
  countries: 'Länder',
  sources: 'Herkunft',
  owner: 'Zuständig',
  addCountries: 'Länder hinzufügen',
  addSources: 'Herkunft hinzufügen',
  remove: 'Diese Zeile entfernen',
  save: 'Regel speichern',
  saved: 'Die Regel ist gespeichert',
  onlyAdmins: 'Inhaber und Admins können sie ändern.',
  choose: 'Wählen Sie mindestens ein Mitglied',
  complete: 'Füllen Sie jede Zeile aus, oder entfernen Sie sie',
  left: 'Mitglieder, die ausscheiden, werden übersprungen.',
}
