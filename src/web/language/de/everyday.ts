// The smaller parts.

import type { creditWords } from '../en/credits.ts'
import type { frameWords, tableWords } from '../en/frame.ts'
import type { homeWords } from '../en/home.ts'
import type { peopleWords, settingsWords } from '../en/people.ts'
import type { webhookWords } from '../en/settings/webhooks.ts'
import type { taskWords } from '../en/tasks.ts'
import type { nounWords, valueWords } from '../en/values.ts'
import type { Translation } from '../language.ts'

export const frame: Translation<typeof frameWords> = {
  places: {
    home: 'Start',
    inbox: 'Posteingang',
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
  verbs: {
    newContact: 'Neuer Kontakt',
    newTask: 'Neue Aufgabe',
    newAgent: 'Neuer Sprachagent',
    importContacts: 'Kontakte importieren',
    call: name => `${name} anrufen`,
    callWord: 'anrufen',
    light: 'Helle Farben',
    dark: 'Dunkle Farben',
    auto: 'Farben des Systems',
    signOut: 'Abmelden',
  },
  found: { here: 'Auf dieser Seite', do: 'Tun', places: 'Gehe zu', found: 'Gefunden' },
  organizations: 'Organisationen',
  organizationSettings: 'Einstellungen der Organisation',
  invite: 'Jemanden einladen',
  newOrganization: 'Neue Organisation',
  waiting: count => `${count} zu prüfen`,
  unread: count => `${count} offen`,
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
}

export const tasks: Translation<typeof taskWords> = {
  status: { OPEN: 'Offen', DONE: 'Erledigt', CANCELED: 'Abgebrochen' },
  isDone: title => `„${title}“ ist erledigt`,
  isOpenAgain: title => `„${title}“ ist wieder offen`,
  notChanged: title => `„${title}“ wurde nicht geändert`,
  add: 'Aufgabe anlegen',
  addLine: 'Neue Aufgabe',
  addExample: 'Wegen des Angebots anrufen morgen 9',
  allFields: 'Alle Felder',
  added: title => `„${title}“ angelegt`,
  lists: { mine: 'Meine', due: 'Fällig', open: 'Alle offenen', done: 'Erledigt' },
  none: {
    mine: 'Ihnen ist nichts zugewiesen.',
    due: 'Heute ist nichts fällig.',
    open: 'Es gibt nichts zu tun.',
    done: 'Noch ist nichts erledigt.',
  },
  which: 'Welche Aufgaben',
  task: 'Aufgabe',
  contact: 'Kontakt',
  nobody: 'Niemand',
  titleNeeded: 'Geben Sie einen Titel ein',
  contactNeeded: 'Wählen Sie einen Kontakt',
  signUp: 'Registrieren, um Aufgaben anzulegen',
  save: 'Aufgabe speichern',
  delete: 'Aufgabe löschen',
  deleted: title => `„${title}“ gelöscht`,
  notRestored: 'Die Aufgabe wurde nicht wiederhergestellt',
  notAdded: 'Die Aufgabe wurde nicht angelegt',
  notDeleted: 'Die Aufgabe wurde nicht gelöscht',
  due: time => `Fällig ${time}`,
  notDue: words => `„${words}“ ist kein Termin, im Titel lassen`,
  dueExample: 'morgen 9, Fr, in 2 Wochen',
  noDate: 'Das ist kein Termin. Schreiben Sie etwa „morgen 9“ oder „in 2 Wochen“, oder wählen Sie ihn im Kalender',
  calendar: field => `${field}: im Kalender wählen`,
  inWords: field => `${field}: in Worten schreiben`,
}

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
  nobody: 'Niemand',
  deletedAgent: 'Ein gelöschter Sprachagent',
  days: days => `in den letzten ${days}`,
  allTime: 'insgesamt',
  answeredOf: (calls, window) => `von ${calls} angenommen ${window} (UTC)`,
  spent: (credits, window) => `${credits} ausgegeben ${window}`,
  answered: { placed: 'Getätigt', answered: 'Angenommen' },
  start: {
    title: name => `${name} einrichten`,
    sentence: 'Von der leeren Organisation zum ersten Anruf. Jeder Schritt hakt sich selbst ab.',
    done: 'Erledigt',
    stepsLeft: left => `Noch ${left} der Einrichtung`,
    backToWidgets: 'Zu den Übersichten',
    organization: {
      title: 'Benennen Sie Ihre Organisation',
      sentence: 'Ihr Name steht in Einladungen. Ihr Land entscheidet, wie Telefonnummern ohne Landesvorwahl gelesen werden.',
      action: 'Name, Land, Währung',
    },
    contacts: {
      title: 'Bringen Sie Ihre Kontakte mit',
      sentence:
        'Importieren Sie eine Datei Ihres bisherigen Systems, oder legen Sie die erste Person von Hand an. Bis dahin füllen Beispieldaten die Seiten.',
      import: 'Datei importieren',
      add: 'Kontakt anlegen',
      sample: 'Mit Beispieldaten ausprobieren',
    },
    agent: {
      title: 'Erstellen Sie einen Sprachagenten',
      sentence: 'Er ruft Menschen an und spricht nach Ihren Anweisungen. Beginnen Sie mit einer Vorlage, und ändern Sie ihre Worte.',
      action: 'Sprachagenten erstellen',
    },
    call: {
      title: 'Hören Sie ihn an',
      sentence: 'Starten Sie auf der Seite Ihres Agenten eine Probe: Der Simulator spielt die angerufene Person, kein Telefon klingelt.',
      action: 'Probe starten',
    },
    colleague: {
      title: 'Laden Sie jemanden ein',
      sentence: 'Per E-Mail, oder mit einem Link, den Sie weitergeben.',
      action: 'Einladen',
    },
  },
  sample: {
    notice: 'Sie sehen Beispieldaten: 40 erfundene Personen mit ihren Anrufen und Aufgaben.',
    remove: 'Beispieldaten entfernen',
    removed: 'Die Beispieldaten sind entfernt',
    notAdded: 'Die Beispieldaten wurden nicht hinzugefügt',
    notRemoved: 'Die Beispieldaten wurden nicht entfernt',
  },
  empty: 'Fügen Sie die Diagramme und Listen hinzu, die Sie jeden Tag sehen wollen.',
  addFirst: 'Kontakte im Zeitverlauf hinzufügen',
  notChanged: 'Die Startseite wurde nicht geändert',
  added: 'Am Ende hinzugefügt',
  moved: position => `An Position ${position} verschoben`,
  menu: {
    of: widget => `Optionen von ${widget}`,
    add: 'Übersicht hinzufügen',
    signUp: 'Registrieren, um anzuordnen',
    chosen: 'Gewählt',
    chart: 'Als Diagramm zeigen',
    table: 'Als Tabelle zeigen',
    range: 'Zeitraum',
    year: 'Ein Jahr',
    countBy: 'Zählen nach',
    dayOnly: 'Nur Tag',
    widget: 'Diese Übersicht',
    forward: 'Nach vorn',
    back: 'Nach hinten',
    embed: 'Woanders einbetten',
    embedForMembers: 'Woanders einbetten, für Mitglieder',
    remove: 'Entfernen',
  },
  keyRevoked: 'Der Schlüssel dieser Übersicht ist vielleicht widerrufen, oder sie ist entfernt. Bitten Sie um eine neue Adresse.',
  fills: {
    CONTACTS_OVER_TIME: 'Hier werden neu angelegte Kontakte gezählt.',
    CALLS_OVER_TIME: 'Hier werden die Anrufe Ihrer Sprachagenten gezählt, Tag für Tag.',
    CREDITS_OVER_TIME: 'Hier steht, was Anrufe und Datenanreicherung an Guthaben ausgeben.',
    ANSWER_RATE: 'Hier steht nach dem ersten Anruf der Anteil der angenommenen Anrufe.',
    CONTACTS_BREAKDOWN: 'Hier stehen Ihre Kontakte nach Phase, Zuständigen oder Land.',
    CALLS_BREAKDOWN: 'Hier stehen Anrufe nach Ergebnis oder Sprachagent.',
    SUGGESTIONS_BREAKDOWN: 'Hier werden Werte gezählt, die für Ihre Kontakte gefunden wurden.',
    ENRICHMENT_JOBS: 'Hier werden Läufe gezählt, die nach fehlenden Werten suchen.',
    TASKS_DUE: 'Keine Aufgabe ist fällig. Aufgaben mit Datum stehen hier, sobald ihr Tag kommt.',
    RECENT_CONTACTS: 'Hier stehen die zuletzt angelegten Kontakte.',
    RECENT_CALLS: 'Hier stehen die letzten Anrufe Ihrer Sprachagenten.',
    PENDING_SUGGESTIONS: 'Hier stehen Werte, die auf Ihre Entscheidung warten.',
  },
  found: { CONTACT: 'Kontakt', COMPANY: 'Firma', CALL: 'Anruf', AGENT: 'Sprachagent', NOTE: 'Notiz' },
}

export const settings: Translation<typeof settingsWords> = {
  language: 'Sprache',
  languageHelp: 'Texte ohne Übersetzung sind englisch.',
}

export const table: Translation<typeof tableWords> = {
  selected: 'Ausgewählte Zeilen',
  selectAll: count => `Alle ${count} Treffer auswählen`,
  all: count => `Alle ${count}`,
  clear: 'Auswahl aufheben',
  changed: 'Die Liste hat sich geändert. Anzeigen',
}
