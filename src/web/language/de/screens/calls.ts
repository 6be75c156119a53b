// Calls: the list, the page of one, and the form that places one.

import type { verdictWords } from '../../en/screens/call-verdict.ts'
import type { callPageWords } from '../../en/screens/calls.ts'
import type { Translation } from '../../language.ts'

export const callPages: Translation<typeof callPageWords> = {
  columns: {
    called: 'Angerufen',
    status: 'Status',
    outcome: 'Ergebnis',
    agent: 'Agent',
    placed: 'Angelegt',
    duration: 'Dauer',
    cost: 'Kosten',
    number: 'Nummer',
  },
  filters: {
    status: 'Jeder Status',
    outcome: 'Jedes Ergebnis',
    agent: 'Jeder Agent',
    day: 'Jeder Tag',
    contact: 'Ein Kontakt',
  },
  place: 'Anrufen',
  signUp: 'Registrieren, um anzurufen',
  noMatch: 'Kein Anruf passt zu diesen Filtern.',
  empty: 'Hier stehen die Anrufe Ihrer Agenten mit Gespräch und Ergebnis.',
  guide: 'Anrufen über die API',
  delayed: 'Anrufe verspäten sich: Im Moment wird keiner gewählt. Der älteste war fällig',
  delayedUntil:
    'Sie werden der Reihe nach gewählt, sobald das Wählen wieder möglich ist. Hält das an, sagen Sie es der Person, die Ihren Server betreibt.',
  form: {
    chooseAgent: 'Wählen Sie, wer anruft',
    enterNumber: 'Geben Sie die Nummer mit Landesvorwahl ein, etwa +49 30 1234567',
    noAgent: 'Kein Agent ist aktiv.',
    makeOne: 'Einen anlegen',
    agent: 'Agent, der anruft',
    numberHelp: 'Mit Landesvorwahl, etwa +49 30 1234567. Der Anruf gehört zum Kontakt mit dieser Nummer oder zu einem neuen.',
    notBefore: 'Nicht vor',
    notBeforeHelp: 'In Ihrer Zeitzone. Leer: jetzt, oder wenn die Anrufzeiten beginnen.',
    record: 'Anruf aufzeichnen',
  },
  facts: {
    about: 'Über diesen Anruf',
    result: 'Ergebnis',
    extracted: 'Erfahrene Werte',
    nothingExtracted: 'Es wurde nichts erfahren.',
    extractedLater: 'Werte erscheinen hier, sobald der Agent sie erfährt.',
    call: 'Anruf',
    contact: 'Kontakt',
    from: 'Von',
    provider: 'Anbieter',
    answeredBy: 'Angenommen von',
    ended: 'Ende',
    providerSaid: 'Anbieter meldet',
    reserved: 'Reserviert',
    placedBy: 'Veranlasst von',
    recording: 'Aufzeichnung',
    listen: duration => `Beim Anbieter anhören${duration === null ? '' : `, ${duration}`}`,
    notPlayable: 'Die Aufzeichnung lässt sich hier nicht abspielen.',
    notRecorded: 'Dieser Anruf wird nicht aufgezeichnet.',
    noRecording: 'Es gibt keine Aufzeichnung.',
    recordingLater: 'Die Aufzeichnung ist bereit, wenn der Anruf zu Ende ist.',
    more: 'Mehr',
    less: 'Weniger',
    applyAgain: 'Noch einmal übernehmen',
  },
  progress: {
    title: 'Verlauf',
    ringing: 'Klingelt',
    dialed: 'Gewählt',
    answered: 'Angenommen',
    over: 'Zu Ende',
    talked: 'Gesprochen',
    never: 'nie',
  },
  cancel: {
    hangUp: 'Auflegen',
    cancelCall: 'Anruf abbrechen',
    hangUpOn: name => `Gespräch mit ${name} beenden?`,
    cancelTo: name => `Anruf bei ${name} abbrechen?`,
    endsTalk: 'Das Gespräch endet mittendrin. Was bisher gesagt wurde, bleibt erhalten.',
    neverDialed: 'Die Nummer wird weder jetzt noch später gewählt.',
  },
  transcript: 'Gespräch',
  follow: 'Mitlesen',
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
  rings: (at, isInHours) =>
    `Das Telefon klingelt ${at === null ? 'sofort' : `am ${at}`}${isInHours ? ', wenn die Anrufzeiten beginnen' : ''}.`,
  reserved: credits => `${credits} sind reserviert, bis der Anruf zu Ende ist.`,
}
