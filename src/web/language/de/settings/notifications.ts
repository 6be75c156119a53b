// German words for the settings of notifications.

import type { notificationWords } from '../../en/settings/notifications.ts'
import type { Translation } from '../../language.ts'

export const notifications: Translation<typeof notificationWords> = {
  title: 'Benachrichtigungen',
  sentence: 'Nur für Sie, in dieser Organisation. Änderungen gelten für alles, was von jetzt an kommt.',
  guest: 'Benachrichtigungen',
  kind: 'Ereignis',
  kinds: {
    ASSIGNED: 'Ein Kontakt, eine Firma, ein Geschäft oder eine Aufgabe wird Ihnen übertragen',
    MENTIONED: 'Eine Notiz erwähnt Sie',
    REMINDER_DUE: 'Eine Aufgabe erinnert Sie',
    CALL_ENDED: 'Ihr Anruf ist beendet',
    JOB_ENDED: 'Ihre Datensuche ist beendet',
    IMPORT_ENDED: 'Ihr Import ist beendet',
    BULK_CHANGE_ENDED: 'Ihre Änderung vieler Datensätze ist beendet',
    CREDITS_LOW: 'Das Guthaben wird knapp',
    WEBHOOK_FAILING: 'Ein Webhook schlägt fehl',
  },
  ways: { inbox: 'Posteingang', toast: 'Meldung', browser: 'Browser', mail: 'E-Mail' },
  means: {
    inbox: 'Posteingang: Es wartet in Ihrer Liste, bis Sie es erledigen.',
    toast: 'Meldung: Die geöffnete App zeigt eine Nachricht.',
    browser: 'Browser: eine Benachrichtigung, wenn die App im Hintergrund ist. Schalten Sie sie in jedem Browser ein.',
  },
  mails: { OFF: 'Keine E-Mail', AT_ONCE: 'Sofort', DAILY: 'Tägliche E-Mail' },
  cell: (way, kind) => `${way}: ${kind}`,
  mailTitle: 'E-Mails',
  mailTo: address => `Sie gehen an ${address}.`,
  noAddress: 'Ihr Konto hat keine E-Mail-Adresse, deshalb werden keine E-Mails gesendet.',
  noMail: 'Diese Installation sendet keine E-Mails. Wer sie betreibt, kann einen Mailserver einrichten.',
  hour: 'Uhrzeit der täglichen E-Mail',
  zone: zone => `Zeitzone: ${zone}. Sie folgt Ihrem Profil.`,
  saved: 'Gespeichert',
  choose: 'Benachrichtigungen wählen',
}
