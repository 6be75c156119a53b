// German words of the frame, of tables and settings, and for values, nouns and people.

import type { frameWords, tableWords } from '../en/frame.ts'
import type { dayWords } from '../en/inputs/days.ts'
import type { peopleWords } from '../en/people.ts'
import type { settingsWords } from '../en/settings/sections.ts'
import type { nounWords, valueWords } from '../en/values.ts'
import type { Translation } from '../language.ts'

export const frame: Translation<typeof frameWords> = {
  places: {
    home: 'Start',
    inbox: 'Posteingang',
    contacts: 'Kontakte',
    companies: 'Firmen',
    deals: 'Geschäfte',
    tasks: 'Aufgaben',
    calls: 'Anrufe',
    agents: 'Sprachagenten',
    suggestions: 'Vorschläge',
    jobs: 'Läufe',
    recipes: 'Quellen',
    gateway: 'Assistent',
    credits: 'Guthaben',
    settings: 'Einstellungen',
  },
  enrichment: 'Datenanreicherung',
  search: 'Suche',
  more: 'Mehr',
  developers: 'Für Entwickler',
  guest: 'Gast',
  you: 'Sie',
  skip: 'Zum Inhalt springen',
  navigation: 'Bereiche',
  fold: 'Menü einklappen',
  unfold: 'Menü ausklappen',
  signOut: 'Abmelden',
  found: {
    here: 'Auf dieser Seite',
    do: 'Tun',
    places: 'Gehe zu',
    found: 'Gefunden',
  },
  notFound: {
    page: 'Diese Seite wurde nicht gefunden',
    call: 'Dieser Anruf wurde nicht gefunden',
    agent: 'Dieser Sprachagent wurde nicht gefunden',
    import: 'Dieser Import wurde nicht gefunden',
    sentence: 'Vielleicht wurde gelöscht, was hier stand, oder die Adresse hat einen Fehler.',
    toStart: 'Zur Startseite',
  },
  searchAndGo: 'Suchen und hingehen',
  shortcuts: 'Tastenkürzel',
  listShortcuts: 'Tastenkürzel zeigen',
  actions: 'Aktionen',
  closePanel: 'Schließen',
  colors: { auto: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
  signUpOrIn: 'Registrieren oder anmelden',
  away: 'Der Server ist nicht erreichbar. Sie sehen, was zuletzt gelesen wurde; Änderungen warten, bis er wieder da ist.',
  organizations: 'Organisationen',
  organizationSettings: 'Einstellungen der Organisation',
  invite: 'Jemanden einladen',
  newOrganization: 'Neue Organisation',
  waiting: count => `${count} zu prüfen`,
  unread: count => `${count} offen`,
}

export const settings: Translation<typeof settingsWords> = {
  title: 'Einstellungen',
  menu: 'Bereiche der Einstellungen',
  choice: 'Bereich der Einstellungen',
  sections: {
    profile: 'Profil',
    notifications: 'Benachrichtigungen',
    sessions: 'Sitzungen',
    organization: 'Organisation',
    members: 'Mitglieder',
    assignment: 'Zuweisung',
    keys: 'API-Schlüssel',
    webhooks: 'Webhooks',
    embedding: 'Einbettung',
    fields: 'Eigene Felder',
    pipelines: 'Pipelines',
    calls: 'Anrufe',
  },
  language: 'Sprache',
  languageHelp: 'Texte ohne Übersetzung sind englisch.',
}

export const table: Translation<typeof tableWords> = {
  filters: 'Filter',
  columns: 'Spalten',
  selected: 'Ausgewählte Zeilen',
  selectLoaded: 'Alle geladenen Zeilen auswählen',
  selectRow: 'Zeile auswählen',
  figuresOf: name => `${name}. Die Tabelle daneben hat dieselben Zahlen.`,
  selectAll: count => `Alle ${count} Treffer auswählen`,
  all: count => `Alle ${count}`,
  clear: 'Auswahl aufheben',
  changed: 'Die Liste hat sich geändert. Anzeigen',
  arrange: list => `Reihenfolge und Spalten von ${list}`,
  search: 'In der Liste suchen',
  clearSearch: 'Suche löschen',
  halfDate: field => `${field} braucht ein ganzes Datum. Vervollständigen Sie es, oder löschen Sie es ganz.`,
  days: {
    between: (from, to) => `${from} bis ${to}`,
    since: day => `seit ${day}`,
    until: day => `bis ${day}`,
  },
}

export const days: Translation<typeof dayWords> = {
  from: field => `${field} ab`,
  to: field => `${field} bis`,
  help: 'Die Tage beginnen um Mitternacht in Greenwich, damit ein Link allen dieselben Zeilen zeigt.',
  incomplete: 'Vervollständigen Sie das Datum, oder löschen Sie es',
  year: 'Schreiben Sie das Jahr mit vier Ziffern',
}

export const values: Translation<typeof valueWords> = { yes: 'Ja', no: 'Nein', empty: 'Leer', none: 'Ohne', others: 'Andere' }

export const nouns: Translation<typeof nounWords> = {
  contact: { one: 'Kontakt', other: 'Kontakte' },
  company: { one: 'Firma', other: 'Firmen' },
  deal: { one: 'Geschäft', other: 'Geschäfte' },
  call: { one: 'Anruf', other: 'Anrufe' },
  placedCall: { one: 'getätigter Anruf', other: 'getätigte Anrufe' },
  task: { one: 'Aufgabe', other: 'Aufgaben' },
  suggestion: { one: 'Vorschlag', other: 'Vorschläge' },
  run: { one: 'Lauf', other: 'Läufe' },
  agent: { one: 'Sprachagent', other: 'Sprachagenten' },
  pair: { one: 'Paar', other: 'Paare' },
  import: { one: 'Import', other: 'Importe' },
  credit: { one: 'Credit', other: 'Credits' },
  day: { one: 'Tag', other: 'Tage' },
  event: { one: 'Ereignis', other: 'Ereignisse' },
  delivery: { one: 'Zustellung', other: 'Zustellungen' },
  providerMessage: { one: 'Meldung des Telefonanbieters', other: 'Meldungen des Telefonanbieters' },
  step: { one: 'Schritt', other: 'Schritte' },
  moreField: { one: 'weiteres Feld', other: 'weitere Felder' },
}

export const people: Translation<typeof peopleWords> = {
  noMail: 'Diese Installation sendet keine E-Mails. Wählen Sie stattdessen einen Link, den Sie kopieren und selbst weitergeben.',
  actor: {
    USER: 'Jemand',
    AGENT: 'Assistent',
    API_KEY: 'API-Schlüssel',
    HOOK: 'Eingehender Webhook',
    SERVICE: 'Verbundener Dienst',
    SYSTEM: 'Rolocom',
    GUEST: 'Gast',
    ANONYMOUS: 'Nicht angemeldet',
  },
  role: { OWNER: 'Inhaber', ADMIN: 'Admin', MEMBER: 'Mitglied', VIEWER: 'Leser', GUEST: 'Gast' },
  formerMember: 'Ein früheres Mitglied',
  forAccounts: what => `${what} gehören zu einem Konto. Sie sehen sich als Gast um.`,
  signUp: 'Registrieren',
}
