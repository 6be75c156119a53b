// Duplicates and their merge.

import type { duplicateWords } from '../../en/screens/duplicates.ts'
import type { Translation } from '../../language.ts'

export const duplicates: Translation<typeof duplicateWords> = {
  title: 'Dubletten',
  pairs: 'Paare',
  more: 'Weitere Paare',
  all: 'Alle Paare',
  next: 'Nächstes Paar',
  previous: 'Voriges Paar',
  swapKey: 'Vertauschen, welcher Kontakt bleibt',
  swap: 'Vertauschen',
  empty:
    'Keine zwei Kontakte sehen nach derselben Person aus. Kontakte mit gleicher E-Mail, Nummer oder gleichem Namen erscheinen hier als Paar.',
  back: 'Zurück zu den Kontakten',
  picture: 'Bild',
  both: 'Die beiden Kontakte',
  stays: 'Bleibt',
  goes: 'Geht darin auf',
  same: 'Bei beiden gleich',
  nothing: 'Nichts',
  added: 'Hinzugefügt',
  combined: { tags: 'Die Tags von beiden', doNotCall: 'Gilt, wenn es für einen gilt', lastContactedAt: 'Der spätere Zeitpunkt' },
  reason: {
    DOMAIN: 'Gleiche Domain',
    EMAIL: 'Gleiche E-Mail',
    NAME: 'Gleicher Name',
    NAME_AND_COMPANY: 'Gleicher Name und gleiche Firma',
    PHONE: 'Gleiches Telefon',
    SIMILAR_NAME: 'Ähnlicher Name',
    WEBSITE: 'Gleiche Website',
  },
  merge: 'Kontakte zusammenführen',
  signUp: 'Registrieren, um zusammenzuführen',
  notSame: 'Nicht dieselbe Person',
  together: 'Notizen, Aufgaben und Anrufe von beiden bleiben zusammen.',
  merged: name => `Kontakte zusammengeführt: ${name}`,
  notUndone: 'Das Zusammenführen wurde nicht rückgängig gemacht',
  undone: 'Das Zusammenführen ist rückgängig gemacht',
  dismiss: {
    title: 'Nicht dieselbe Person?',
    loses: (one, other) => `${one} und ${other} bleiben, wie sie sind, und werden nicht mehr als Dubletten vorgeschlagen.`,
    verb: 'Beide behalten',
    done: 'Beide Kontakte bleiben',
  },
}
