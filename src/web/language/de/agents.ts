// Voice agents.

import type { agentWords, agentTemplates as englishTemplates } from '../en/agents.ts'
import type { Translation } from '../language.ts'

export const agents: Translation<typeof agentWords> = {
  fields: {
    name: 'Name',
    instructions: 'Anweisungen',
    firstMessage: 'Erster Satz',
    extraction: 'Was er herausfindet',
    provider: 'Telefonanbieter',
    phoneNumber: 'Telefonnummer',
    dispatchUrl: 'Adresse Ihres Servers',
    language: 'Sprache',
    voice: 'Stimme',
  },
  help: {
    instructions: 'In einfachen Worten: wen er anruft und warum, was er fragt und wann er auflegt',
    firstMessage: 'Die ersten Worte, wenn jemand abhebt',
    extraction: 'Jede Antwort wird ein Wert des Anrufs und ein Vorschlag für das gewählte Feld',
    provider: 'Der Simulator ruft niemanden an und kostet nichts',
    phoneNumber: 'Die angezeigte Nummer: eine Ihres Kontos beim Anbieter',
    dispatchUrl: 'Dorthin werden Anrufe gesendet',
    language: 'Was er spricht und versteht. Leer: die Vorgabe des Anbieters',
    newLanguage: 'Was er spricht und versteht. Leer: die Sprache des Landes Ihrer Organisation',
    voice: 'Wie der Anbieter sie nennt. Leer: die Vorgabe des Anbieters',
  },
  kinds: { text: 'Text', number: 'Zahl', yesNo: 'Ja oder nein', date: 'Datum', choice: 'Eines aus einer Liste' },
  wanted: {
    title: 'Name des Werts',
    kind: 'Art',
    field: 'Gehört in',
    options: 'Mögliche Antworten',
    question: 'Wie er fragt',
    questionExample: 'Wann endet Ihr Vertrag?',
    onlyInCall: 'Nur im Anruf',
    contactFields: 'Kontakt',
    customFields: 'Eigene Felder',
    add: 'Wert hinzufügen',
    other: 'Etwas anderes',
    none: 'Noch nichts. Fügen Sie hinzu, was der Agent erfahren soll, etwa eine Position oder ein Vertragsende.',
    up: title => `${title || 'Diesen Wert'} nach oben`,
    down: title => `${title || 'Diesen Wert'} nach unten`,
    remove: title => `${title || 'Diesen Wert'} entfernen`,
    moved: (title, place, count) => `${title || 'Der Wert'} ist jetzt ${place} von ${count}`,
    row: place => `Wert ${place}`,
  },
  insert: 'Feld einfügen',
  withFallback: 'Ein Wort nach | wird gesagt, wenn das Feld leer ist: {{first_name|zusammen}}',
  heard: person => `${person} hört`,
  read: person => `Für einen Anruf bei ${person}`,
  unknown: names => `Kein Feld eines Kontakts füllt ${names}. Berichtigen Sie den Namen, oder geben Sie einen Ersatz an: {{name|zusammen}}`,
  advanced: 'Für Entwickler',
  json: 'Gesuchte Werte als JSON',
  jsonProblem: 'Geben Sie ein JSON-Objekt ein, etwa {"job_title": {"type": "string"}}',
  choose: {
    title: 'Neuer Sprachagent',
    sentence: 'Beginnen Sie mit einem fertigen Agenten und passen Sie ihn an, oder mit einem leeren Formular.',
    scratch: 'Leer beginnen',
    scratchSentence: 'Alles selbst schreiben.',
  },
  check: 'Prüfen Sie die Texte dieses Agenten',
}

export const agentTemplates: Translation<typeof englishTemplates> = {
  'appointment-reminder': {
    name: 'Terminerinnerung',
    sentence: 'Erinnert an einen Termin und findet einen besseren, wenn er nicht passt.',
    firstMessage: 'Guten Tag {{full_name|}}, ich rufe wegen Ihres Termins bei uns an. Haben Sie eine Minute?',
    instructions:
      'Du rufst {{full_name|eine Kundin oder einen Kunden}} an, um an den Termin {{appointment|bei uns in dieser Woche}} zu erinnern.\n' +
      'Sei freundlich und fasse dich kurz. Frage, ob der Termin noch passt.\n' +
      'Wenn ja, bedanke dich und wiederhole Tag und Uhrzeit. Wenn nicht, frage, wann es besser passt, und sage, dass eine Kollegin den neuen Termin bestätigt.\n' +
      'Frage nach der E-Mail-Adresse für die Bestätigung.\n' +
      'Gib keine Ratschläge und keine Preise, sondern biete einen Rückruf an. Verabschiede dich höflich, wenn du die Antworten hast.',
    finds: {
      comes: {
        title: 'Termin',
        question: 'Passt Ihnen der Termin noch?',
        options: ['Bestätigt', 'Möchte einen anderen', 'Abgesagt'],
      },
      newTime: { title: 'Besserer Termin', question: 'Welcher Tag und welche Uhrzeit passen Ihnen besser?' },
      email: { title: 'E-Mail', question: 'An welche E-Mail-Adresse dürfen wir die Bestätigung senden?' },
    },
  },
  'lead-qualification': {
    name: 'Lead-Qualifizierung',
    sentence: 'Fragt neue Interessenten, was sie wann brauchen, und bietet ein Treffen an.',
    firstMessage: 'Guten Tag {{full_name|}}, vielen Dank für Ihr Interesse. Darf ich Ihnen drei kurze Fragen stellen?',
    instructions:
      'Du rufst {{full_name|eine Interessentin oder einen Interessenten}} an.\n' +
      'Finde heraus, was gelöst werden soll, wann es losgehen soll, ob es ein Budget gibt und welche Position die Person hat.\n' +
      'Stelle eine Frage nach der anderen und höre zu. Dränge nicht, und versprich weder Preise noch Termine.\n' +
      'Wer innerhalb von drei Monaten beginnen will, dem biete ein Treffen von einer halben Stunde an.\n' +
      'Wer kein Interesse hat, dem danke und lege auf. Wer nicht mehr angerufen werden will, dem bestätige das.',
    finds: {
      jobTitle: { title: 'Position', question: 'Welche Position haben Sie im Unternehmen?' },
      need: { title: 'Bedarf', question: 'Was möchten Sie mit uns lösen?' },
      timing: {
        title: 'Will beginnen',
        question: 'Wann möchten Sie beginnen?',
        options: ['Innerhalb eines Monats', 'Innerhalb von drei Monaten', 'Später', 'Gar nicht'],
      },
      budget: { title: 'Hat ein Budget', question: 'Gibt es dafür schon ein Budget?' },
      meeting: { title: 'Möchte ein Treffen', question: 'Möchten Sie ein Treffen mit jemandem aus unserem Team?' },
    },
  },
  'renewal-check': {
    name: 'Vertragsverlängerung',
    sentence: 'Fragt vor dem Vertragsende, ob Kunden bleiben, und warum nicht.',
    firstMessage: 'Guten Tag {{full_name|}}, Ihr Vertrag bei uns endet bald. Darf ich fragen, wie zufrieden Sie sind?',
    instructions:
      'Du rufst {{full_name|eine Kundin oder einen Kunden}} an, deren Vertrag bald endet.\n' +
      'Frage zuerst nach der Zufriedenheit und höre zu. Frage dann, ob verlängert werden soll, und mit wie vielen Plätzen.\n' +
      'Wer zögert oder kündigen will, den frage nach dem Grund und biete ein Gespräch mit der Ansprechperson bei uns an.\n' +
      'Verhandle nicht: keine Rabatte, keine neuen Bedingungen. Bedanke dich, und lege auf, wenn du die Antworten hast.',
    finds: {
      renews: { title: 'Verlängert', question: 'Möchten Sie den Vertrag verlängern?', options: ['Ja', 'Unentschieden', 'Nein'] },
      ends: { title: 'Vertragsende', question: 'An welchem Tag endet Ihr jetziger Vertrag?' },
      seats: { title: 'Plätze', question: 'Wie viele Plätze werden Sie brauchen?' },
      reason: { title: 'Grund', question: 'Was ist der wichtigste Grund für Ihre Entscheidung?' },
    },
  },
}
