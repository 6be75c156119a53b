// The form that places a call, the call policy's verdict, and calls that wait.

import type { callFormWords, verdictWords, waitWords } from '../../en/screens/call-form.ts'
import type { Translation } from '../../language.ts'

export const callForm: Translation<typeof callFormWords> = {
  contact: 'Kontakt',
  contactHint: 'Nach dem Namen suchen, oder unten eine Nummer eingeben',
  noContact: 'Kein Kontakt mit einer Nummer heißt so',
  agent: 'Sprachagent',
  chooseAgent: 'Wählen Sie, wer anruft',
  agentHint: 'Agent, der anruft',
  noAgent: 'Ein Sprachagent ruft an, aber keiner ist aktiv.',
  toAgents: 'Zu den Sprachagenten',
  number: 'Nummer',
  enterNumber: 'Geben Sie die Nummer mit Landesvorwahl ein, etwa +49 30 1234567',
  numberHelp: 'Mit Landesvorwahl, etwa +49 30 1234567. Der Anruf gehört zum Kontakt mit dieser Nummer oder zu einem neuen.',
  severalNumbers: count => `${count} Nummern sind bekannt. Wählen Sie eine, oder geben Sie eine andere ein.`,
  notBefore: 'Nicht vor',
  notBeforeHelp: 'In Ihrer Zeitzone. Leer: jetzt, oder wenn die Anrufzeiten beginnen.',
  record: 'Anruf aufzeichnen',
  place: 'Anrufen',
  placed: {
    calling: name => `${name} wird angerufen`,
    waits: name => `Der Anruf bei ${name} wartet auf eine freie Leitung`,
    later: (name, time) => `${name} wird angerufen: ${time}`,
    blocked: (name, reason) => `${name} wird nicht angerufen: ${reason}`,
    failed: name => `Der Anruf bei ${name} kam nicht zustande`,
    open: 'Anruf öffnen',
  },
  zoned: (there, zone, here) => `${there} (${zone})${here === null ? '' : `, bei Ihnen ${here}`}`,
}

export const verdict: Translation<typeof verdictWords> = {
  refused: {
    do_not_call: 'Dieser Kontakt darf nicht angerufen werden.',
    denied_number: 'Diese Nummer steht auf Ihrer Sperrliste.',
    calling_hours: 'In der erlaubten Zeit liegen keine Anrufzeiten.',
    expired: 'Die Zeit für diesen Anruf ist vorbei.',
  },
  notAllowed: why => `Dieser Anruf ist nicht erlaubt: ${why}.`,
  noRing: 'Kein Telefon klingelt, und der Anruf steht als gesperrt in der Liste.',
  checking: 'Die Regeln für Anrufe werden geprüft',
  dials: (at, isSimulated) =>
    isSimulated
      ? `Der Simulator spielt den Anruf ${at === null ? 'jetzt' : `zu dieser Zeit: ${at}`}. Kein Telefon klingelt.`
      : at === null
        ? 'Die Nummer wird jetzt gewählt, oder sobald eine Leitung frei ist.'
        : `Die Nummer wird zu dieser Zeit gewählt: ${at}.`,
  hours: 'Dann beginnen die Anrufzeiten.',
  changeHours: 'Anrufzeiten ändern',
  reserved: credits => `${credits} sind reserviert, bis der Anruf zu Ende ist.`,
}

export const callWait: Translation<typeof waitWords> = {
  hours: time => `Der Anruf wartet bis ${time}, weil die Anrufzeiten noch nicht begonnen haben.`,
  schedule: time => `Der Anruf wartet bis ${time}. Diese Zeit wurde für ihn gewählt.`,
  line: 'Seine Zeit ist gekommen. Er wird gewählt, sobald eine Leitung frei ist.',
  trial: 'Auch Anrufe über den Simulator warten. Um den Agenten gleich zu hören, starten Sie auf seiner Seite einen Probeanruf.',
  toAgent: 'Zum Agenten',
}
