// German words of the settings of custom fields.

import type { customFieldWords } from '../../en/settings/custom-fields.ts'
import type { Translation } from '../../language.ts'

export const customFields: Translation<typeof customFieldWords> = {
  deleteLoses: 'Seine Werte werden bei allen Kontakten gelöscht. Das lässt sich nicht rückgängig machen.',
  deleteField: 'Feld löschen',
  signUp: 'Registrieren, um Felder anzulegen',
  new: 'Neues Feld',
  title: 'Eigene Felder',
  sentence: 'Felder, die Ihre Organisation bei ihren Kontakten ergänzt.',
  empty: 'Etwa eine Vertragsnummer oder das Datum einer Verlängerung.',
  delete: 'Löschen',
  newTitle: 'Neues eigenes Feld',
  nameNeeded: 'Geben Sie einen Namen ein',
  keyProblem: 'Ein Kleinbuchstabe, dann Buchstaben, Ziffern und Unterstriche: vertragsende',
  optionNeeded: 'Geben Sie mindestens eine ein',
  create: 'Feld anlegen',
  name: 'Name',
  key: 'Schlüssel',
  keyHelp: 'Sein Name in der API, der sich nie ändert',
  holds: 'Enthält',
  choices: 'Auswahl',
  choicesHelp: 'Nach jeder die Eingabetaste',
  types: {
    TEXT: 'Text',
    NUMBER: 'Zahl',
    BOOLEAN: 'Ja oder nein',
    DATE: 'Datum',
    SELECT: 'Eines aus einer Liste',
    MULTI_SELECT: 'Mehrere aus einer Liste',
    URL: 'Link',
  },
  deleteQuestion: label => `Feld „${label}“ löschen?`,
  deleteLabel: label => `Feld ${label} löschen`,
  apiName: label => `den Namen von ${label} in der API`,
  andMore: (names, count) => `${names} und ${count} weitere`,
}
