// The list of voice agents, and the page of one.

import type { agentPageWords } from '../../en/screens/agents.ts'
import type { Translation } from '../../language.ts'

export const agentPages: Translation<typeof agentPageWords> = {
  agent: 'Agent',
  columns: { name: 'Name', status: 'Status', provider: 'Anbieter', phone: 'Ruft an von', changed: 'Geändert', created: 'Angelegt' },
  newAgent: 'Neuer Agent',
  signUp: 'Registrieren, um Agenten anzulegen',
  anyStatus: 'Jeder Status',
  noMatch: 'Kein Agent hat diesen Status.',
  empty: 'Ein Agent telefoniert nach Ihren Anweisungen. Legen Sie einen an, und probieren Sie ihn im Simulator aus.',
  guide: 'Agenten über die API anlegen',
  enterName: 'Geben Sie einen Namen ein',
  create: 'Agent anlegen',
  save: 'Agent speichern',
  saved: 'Agent gespeichert',
  dismiss: 'Schließen',
  archived: 'Dieser Agent ist archiviert. Seine Anrufe bleiben lesbar; er ruft nicht mehr an.',
  about: 'Über diesen Agenten',
  lastCalls: 'Letzte Anrufe',
  all: 'Alle',
  noCalls: 'Dieser Agent hat noch nicht angerufen.',
  actions: {
    provision: 'Verbinden',
    again: 'Noch einmal versuchen',
    pause: 'Pausieren',
    resume: 'Fortsetzen',
    more: 'Mehr',
    archive: 'Archivieren',
    archiveIt: name => `${name} archivieren?`,
    archiveLoses:
      'Seine wartenden Anrufe werden abgebrochen, seine Nummer wird frei, und er lässt sich nicht zurückholen. Laufende Anrufe gehen weiter.',
    archiveAgent: 'Agent archivieren',
    archiveWord: 'archivieren',
  },
  secret: {
    title: 'Signaturschlüssel',
    sentence: 'Beweist, dass eine Nachricht von diesem Agenten kommt.',
    rotateIt: name => `Schlüssel von ${name} erneuern?`,
    rotateLoses:
      'Ab jetzt signiert ein neuer Schlüssel. Der bisherige gilt noch eine Weile, damit Sie ihn in Ihren Programmen ersetzen können.',
    rotateSecret: 'Schlüssel erneuern',
    secret: 'Schlüssel',
    earlier: 'früherer Schlüssel',
    reveal: 'Anzeigen',
    hide: 'Verbergen',
    rotate: 'Erneuern',
  },
  courses: {
    title: 'Wie der Anruf verläuft',
    answered: 'Jemand hebt ab',
    noAnswer: 'Niemand hebt ab',
    busy: 'Besetzt',
    machine: 'Die Mailbox antwortet',
    callback: 'Möchte zurückgerufen werden',
    person: 'Möchte mit einem Menschen sprechen',
  },
}
