// German words of the list of companies and of their pages.

import type { companyWords } from '../en/companies.ts'
import type { Translation } from '../language.ts'

export const companies: Translation<typeof companyWords> = {
  one: 'Firma',
  new: 'Neu',
  signUp: 'Registrieren',
  signUpToAdd: 'Registrieren, um Firmen anzulegen',
  empty: 'Hier stehen die Firmen, an die Sie verkaufen.',
  noMatch: 'Keine Firma passt zu diesen Filtern.',
  noDeleted: 'Keine gelöschte Firma passt. Gelöschte Firmen bleiben, bis jemand sie wiederherstellt.',
  search: { label: 'Firmen suchen', example: 'Name oder Domain' },
  filter: {
    anyOwner: 'Alle Zuständigen',
    anyTag: 'Alle Tags',
    anyCountry: 'Alle Länder',
    deleted: 'Gelöschte',
    clearAll: 'Alle entfernen',
  },
  create: {
    title: 'Neue Firma',
    verb: 'Firma anlegen',
    needed: 'Geben Sie einen Namen oder eine Domain ein',
    nameless: 'Ohne Namen gilt die Domain als Name',
    domain: 'Etwa acme.com. Nur eine Ihrer Firmen hat sie',
  },
  actions: {
    more: 'Weitere Aktionen',
    copyId: 'ID kopieren',
    mergeWith: 'Mit einer anderen Firma zusammenführen',
    delete: 'Firma löschen',
    restore: 'Wiederherstellen',
    deleted: name => `${name} gelöscht`,
    notDeleted: name => `${name} wurde nicht gelöscht`,
    notRestored: name => `${name} wurde nicht wiederhergestellt`,
  },
  tabs: { fields: 'Felder', timeline: 'Verlauf' },
  fields: 'Felder',
  people: { title: 'Personen', none: 'Noch niemand', add: 'Person hinzufügen', all: 'Alle anzeigen' },
  gone: {
    title: 'Diese Firma wurde nicht gefunden',
    unknown: 'Prüfen Sie die Adresse. Die Firma kann auch zu einer anderen Organisation gehören.',
    toCompanies: 'Zu den Firmen',
  },
  duplicates: 'Dubletten von Firmen',
  keepsAll: 'Ihr Verlauf bleibt. Stellen Sie sie wieder her, um sie zu bearbeiten.',
}
