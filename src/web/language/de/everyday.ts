// The smaller parts.

import type { creditWords } from '../en/credits.ts'
import type { frameWords } from '../en/frame.ts'
import type { homeWords } from '../en/home.ts'
import type { peopleWords } from '../en/people.ts'
import type { settingsWords } from '../en/settings.ts'
import type { taskWords } from '../en/tasks.ts'
import type { nounWords, valueWords } from '../en/values.ts'
import type { webhookWords } from '../en/webhooks.ts'
import type { Translation } from '../language.ts'

export const frame: Translation<typeof frameWords> = {
  places: {
    home: 'Start',
    contacts: 'Kontakte',
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
  fold: 'Menü einklappen',
  unfold: 'Menü ausklappen',
  waiting: count => `${count} zu prüfen`,
}

export const values: Translation<typeof valueWords> = { yes: 'Ja', no: 'Nein', empty: 'Leer', none: 'Ohne', others: 'Andere' }

export const nouns: Translation<typeof nounWords> = {
  contact: { one: 'Kontakt', other: 'Kontakte' },
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
  moreField: { one: 'weiteres Feld', other: 'weitere Felder' },
}

export const people: Translation<typeof peopleWords> = {
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
}

export const tasks: Translation<typeof taskWords> = { status: { OPEN: 'Offen', DONE: 'Erledigt', CANCELED: 'Abgebrochen' } }

export const credits: Translation<typeof creditWords> = {
  category: { PAID: 'Bezahlt', PROMOTIONAL: 'Geschenkt' },
  grantStatus: { ACTIVE: 'Verfügbar', PENDING: 'Noch nicht verfügbar', USED: 'Verbraucht', EXPIRED: 'Abgelaufen', VOIDED: 'Zurückgezogen' },
  transaction: {
    GRANT: 'Gutgeschrieben',
    DEBIT: 'Ausgegeben',
    HOLD: 'Reserviert',
    SETTLE: 'Aus Reserve ausgegeben',
    RELEASE: 'Reserve freigegeben',
    ADJUST: 'Angepasst',
    EXPIRE: 'Abgelaufen',
    VOID: 'Zurückgezogen',
  },
}

export const webhooks: Translation<typeof webhookWords> = {
  delivery: {
    WAITING: 'Wartet auf frühere',
    PENDING: 'Wartet',
    SENDING: 'Wird gesendet',
    DELIVERED: 'Zugestellt',
    FAILED: 'Fehlgeschlagen',
    CANCELED: 'Abgebrochen',
  },
  disabledReason: {
    BY_USER: 'jemand im Team hat ihn abgeschaltet',
    GONE: 'der Empfänger sagt, dass es diese Adresse nicht mehr gibt (410)',
    FAILING: 'der Empfänger hat seit fünf Tagen keine Zustellung angenommen',
    MAKER_LEFT: 'die Person oder der API-Schlüssel dahinter hat keinen Zugang mehr, oder der Schlüssel wartet auf eine Bestätigung',
    ACCOUNT_RECOVERED: 'er wurde angelegt, bevor die E-Mail seines Urhebers bestätigt war',
  },
}

export const home: Translation<typeof homeWords> = {
  widget: {
    CONTACTS_OVER_TIME: 'Neue Kontakte',
    CALLS_OVER_TIME: 'Anrufe im Zeitverlauf',
    CREDITS_OVER_TIME: 'Ausgegebenes Guthaben',
    ANSWER_RATE: 'Annahmequote',
    CONTACTS_BREAKDOWN: 'Kontakte',
    CALLS_BREAKDOWN: 'Anrufe',
    SUGGESTIONS_BREAKDOWN: 'Vorschläge',
    ENRICHMENT_JOBS: 'Läufe der Datenanreicherung',
    TASKS_DUE: 'Fällige Aufgaben',
    RECENT_CONTACTS: 'Letzte Kontakte',
    RECENT_CALLS: 'Letzte Anrufe',
    PENDING_SUGGESTIONS: 'Vorschläge zu prüfen',
  },
  grouping: {
    COUNTRY: 'Land',
    ENDED_REASON: 'Grund des Endes',
    FIELD: 'Feld',
    LIFECYCLE_STAGE: 'Phase',
    OUTCOME: 'Ergebnis',
    OWNER_USER_ID: 'Zuständigen',
    PROVIDER: 'Quelle',
    SOURCE: 'Herkunft',
    STATUS: 'Status',
    TAG: 'Tag',
    VOICE_AGENT_ID: 'Sprachagent',
  },
  by: (widget, grouping) => `${widget} nach ${grouping}`,
  answered: { placed: 'Getätigt', answered: 'Angenommen' },
  found: { CONTACT: 'Kontakt', CALL: 'Anruf', AGENT: 'Sprachagent', NOTE: 'Notiz' },
}

export const settings: Translation<typeof settingsWords> = {
  language: 'Sprache',
  languageHelp: 'Für diesen Browser. Texte ohne Übersetzung sind englisch.',
}
