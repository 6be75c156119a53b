// German words of tasks, credits and webhooks.

import type { creditWords } from '../en/credits.ts'
import type { webhookWords } from '../en/settings/webhooks.ts'
import type { taskWords } from '../en/tasks.ts'
import type { Translation } from '../language.ts'

export const tasks: Translation<typeof taskWords> = {
  status: { OPEN: 'Offen', DONE: 'Erledigt', CANCELED: 'Abgebrochen' },
  isDone: title => `„${title}“ ist erledigt`,
  isOpenAgain: title => `„${title}“ ist wieder offen`,
  notChanged: title => `„${title}“ wurde nicht geändert`,
  keysEnter: 'führt in die Liste',
  keysDone: 'erledigt die Zeile im Fokus',
  keyDone: 'Die Aufgabe im Fokus erledigen',
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
  record: 'Worum es geht',
  recordHint: 'Ein Kontakt, eine Firma oder ein Geschäft',
  noRecord: 'Nichts hat diesen Namen',
  about: 'Zu',
  nobody: 'Niemand',
  titleNeeded: 'Geben Sie einen Titel ein',
  recordNeeded: 'Wählen Sie einen Kontakt, eine Firma oder ein Geschäft',
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
